import { Eraser } from "lucide-react";
import { useState } from "react";
import { CLEAN_RIGHT } from "~/api/clean";
import type { ObjectType } from "~/api/records";
import { useLocale } from "~/i18n";
import { Button } from "~/ui/Button";
import { CleanDialog } from "./CleanDialog";
import { useRights } from "./rights";

/** Cleans the objects of a type after a look at what that changes, for those who may. */
export function CleanButton({ type }: { type: ObjectType }) {
  const { texts } = useLocale();
  const [isOpen, setIsOpen] = useState(false);
  if (!useRights().has(CLEAN_RIGHT)) return null;
  return (
    <>
      <Button onPress={() => setIsOpen(true)}>
        <Eraser size={14} aria-hidden="true" />
        {texts.clean.open}
      </Button>
      {isOpen && <CleanDialog type={type} onClose={() => setIsOpen(false)} />}
    </>
  );
}
