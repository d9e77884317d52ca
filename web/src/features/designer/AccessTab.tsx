import { useLocale } from "~/i18n";
import { grants, PERMISSIONS, type Permission, setActivated, setGrant } from "~/model/typeAccess";
import { ProblemAlert } from "~/ui/Alert";
import { Checkbox } from "~/ui/Checkbox";
import styles from "./AccessTab.module.css";
import type { Design } from "./design";
import { useAccessGroups } from "./useAccessGroups";

/** What groups may do with objects of the type. */
export function AccessTab({ design }: { design: Design }) {
  const { texts } = useLocale();
  const { draft, change } = design;
  const { groups: rows, own: ownGroup, isComplete, isLoading, error } = useAccessGroups(draft);
  const { acl } = draft.type;
  return (
    <div className={styles.page}>
      {error && <ProblemAlert error={error} />}
      <div>
        <Checkbox
          label={texts.designer.acl}
          isSelected={acl.activated}
          // The list begins with the groups, so they must be known.
          isDisabled={isLoading}
          onChange={(activated) => change((before) => setActivated(before, activated, rows))}
        />
        <p className={styles.hint}>
          {acl.activated ? texts.designer.aclHint : texts.designer.aclOff}
        </p>
      </div>
      {acl.activated && !isComplete && <p className={styles.hint}>{texts.designer.aclOthers}</p>}
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
