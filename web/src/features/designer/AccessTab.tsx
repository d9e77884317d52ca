import { useQuery } from "@tanstack/react-query";
import { groupsQuery } from "~/api/groups";
import { meQuery } from "~/api/queries";
import { useLocale } from "~/i18n";
import { Checkbox } from "~/kit/Checkbox";
import { ProblemNotice } from "~/kit/Notice";
import { may } from "~/model/rights";
import { grants, PERMISSIONS, type Permission, setActivated, setGrant } from "~/model/typeAccess";
import styles from "./AccessTab.module.css";
import type { Design } from "./design";

/** What groups may do with objects of the type. */
export function AccessTab({ design }: { design: Design }) {
  const { texts } = useLocale();
  const me = useQuery(meQuery).data;
  const maySeeGroups = may(me, "base.user-management.group.view");
  const groups = useQuery({ ...groupsQuery, enabled: maySeeGroups });
  const { draft, change } = design;
  const { acl } = draft.type;
  const known = groups.data ?? (me ? [me.group] : []);
  const others = Object.keys(acl.groups.includes ?? {}).filter(
    (id) => !known.some((group) => String(group.public_id) === id),
  );
  const rows = [
    ...known.map((group) => ({ id: String(group.public_id), label: group.label || group.name })),
    ...others.map((id) => ({ id, label: texts.designer.groupNumber(id) })),
  ];
  const ownGroup = String(me?.group.public_id ?? "");
  return (
    <div className={styles.page}>
      {groups.error && <ProblemNotice error={groups.error} />}
      <div>
        <Checkbox
          label={texts.designer.acl}
          isSelected={acl.activated}
          onChange={(activated) => change((before) => setActivated(before, activated))}
        />
        <p className={styles.hint}>
          {acl.activated ? texts.designer.aclHint : texts.designer.aclOff}
        </p>
      </div>
      {acl.activated && !grants(draft, ownGroup, "READ") && (
        <p role="alert" className={styles.warning}>
          {texts.designer.aclSelf}
        </p>
      )}
      {acl.activated && (
        <div className={styles.scroll}>
          <table className={styles.table}>
            <thead>
              <tr>
                <th scope="col">{texts.designer.group}</th>
                {PERMISSIONS.map((permission) => (
                  <th key={permission} scope="col" className={styles.permission}>
                    {texts.designer.permissions[permission]}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(({ id, label }) => (
                <tr key={id}>
                  <th scope="row">{label}</th>
                  {PERMISSIONS.map((permission) => (
                    <Cell
                      key={permission}
                      design={design}
                      group={id}
                      label={label}
                      permission={permission}
                    />
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </div>
  );
}

interface CellProps {
  design: Design;
  group: string;
  label: string;
  permission: Permission;
}

function Cell({ design, group, label, permission }: CellProps) {
  const { texts } = useLocale();
  const { draft, change } = design;
  return (
    <td className={styles.permission}>
      <Checkbox
        label={texts.designer.permissionOf(texts.designer.permissions[permission], label)}
        hidesLabel
        isSelected={grants(draft, group, permission)}
        onChange={(isGranted) => change((before) => setGrant(before, group, permission, isGranted))}
      />
    </td>
  );
}
