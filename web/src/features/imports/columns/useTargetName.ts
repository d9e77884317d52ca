import type { ObjectType } from "~/api/records";
import { useLocale } from "~/i18n";
import { ACTIVE, PUBLIC_ID } from "~/model/importMapping";

/** What people call the target of a column. A field wins over what all objects have. */
export function useTargetName(type: ObjectType | undefined): (target: string) => string {
  const { texts } = useLocale();
  return (target) => {
    const field = type?.fields?.find(({ name }) => name === target);
    if (field) return field.label || field.name;
    if (target === PUBLIC_ID) return texts.imports.publicId;
    return target === ACTIVE ? texts.imports.active : target;
  };
}
