import { useQuery } from "@tanstack/react-query";
import { deletionQuery } from "~/api/objectHistory";
import { typesQuery } from "~/api/objectTypes";
import { meQuery } from "~/api/session";
import { useLocale } from "~/i18n";
import { nameBefore } from "~/model/deleted";
import { may } from "~/model/rights";
import { ObjectLink } from "~/ui/ObjectLink";

/** A reference to nothing that is there. Who may see the history gets the name of what was. */
export function Missing({ value }: { value: string }) {
  const { texts } = useLocale();
  const me = useQuery(meQuery).data;
  const id = /^\d{1,15}$/.test(value) ? Number(value) : 0;
  const mayKnow = id > 0 && may(me, "base.framework.log.view");
  const deletion = useQuery({ ...deletionQuery(id), enabled: mayKnow }).data;
  const types = useQuery({ ...typesQuery, enabled: Boolean(deletion) }).data;
  if (!deletion) return <span>{texts.missingTarget(value)}</span>;
  const type = types?.find(({ public_id }) => public_id === deletion.type_id);
  // Its page says who deleted it, and brings it back.
  return (
    <ObjectLink id={id}>
      {texts.deletedTarget(nameBefore(deletion, deletion.changes, type))}
    </ObjectLink>
  );
}
