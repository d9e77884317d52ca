import { useQuery } from "@tanstack/react-query";
import { useRights } from "~/actions/rights";
import { typesQuery } from "~/api/objectTypes";
import { useLocale } from "~/i18n";
import { ACTIONS, type AuditSearch, CHANNELS, LOGIN_RESULTS, RESOURCES } from "~/model/auditLog";
import { Button } from "~/ui/Button";
import { Chip } from "~/ui/Chip";
import { Select } from "~/ui/Select";
import { TextField } from "~/ui/TextField";
import { ActorComboBox } from "./ActorComboBox";
import styles from "./auditLog.module.css";

interface Props {
  search: AuditSearch;
  onSearch: (search: AuditSearch) => void;
}

/** No value has this name. */
const ALL = "";

/** Narrows the log by choices; records and requests are chosen in the list. */
export function AuditFilter({ search, onSearch }: Props) {
  const { texts } = useLocale();
  const rights = useRights();
  const maySeeTypes = rights.has("base.framework.type.view");
  const types = useQuery({ ...typesQuery, enabled: maySeeTypes }).data ?? [];
  const change = (part: Record<string, unknown>) => {
    const entries = Object.entries({ ...search, ...part });
    onSearch(
      Object.fromEntries(entries.filter(([, value]) => value !== undefined && value !== "")),
    );
  };
  const choice = (
    name: keyof AuditSearch,
    label: string,
    values: readonly string[],
    names: Record<string, string>,
  ) => (
    <Select
      label={label}
      options={[
        { id: ALL, label: texts.auditLog.all },
        ...values.map((value) => ({ id: value, label: names[value] ?? value })),
      ]}
      value={String(search[name] ?? ALL)}
      onChange={(value) => change({ [name]: value })}
    />
  );
  const { id, request, view, ...conditions } = search;
  const count = Object.keys(conditions).length + Number(id !== undefined) + Number(!!request);
  const typeNames = Object.fromEntries(
    types.map(({ public_id, label, name }) => [String(public_id), label || name]),
  );
  const isOfObjects = !search.resource || search.resource === "object";
  return (
    <div className={styles.filter}>
      {view !== "logins" && (
        <>
          {choice("resource", texts.auditLog.record, RESOURCES, texts.auditLog.resources)}
          {isOfObjects && types.length > 0 && (
            <Select
              label={texts.type}
              options={[
                { id: ALL, label: texts.auditLog.all },
                ...types.map(({ public_id }) => ({
                  id: String(public_id),
                  label: typeNames[public_id] ?? "",
                })),
              ]}
              value={String(search.type ?? ALL)}
              onChange={(type) => change({ type: type ? Number(type) : undefined })}
            />
          )}
          {choice("action", texts.auditLog.action, ACTIONS, texts.actions)}
          {choice("via", texts.auditLog.how, CHANNELS, texts.auditLog.channels)}
        </>
      )}
      {view === "logins" &&
        choice("result", texts.auditLog.result, LOGIN_RESULTS, texts.auditLog.results)}
      {rights.has("base.user-management.user.view") && (
        <ActorComboBox value={search.actor} onChange={(actor) => change({ actor })} />
      )}
      {(["from", "to"] as const).map((end) => (
        <TextField
          key={end}
          label={texts.auditLog[end]}
          type="date"
          value={search[end] ?? ""}
          onChange={(day) => change({ [end]: day })}
        />
      ))}
      {id !== undefined && (
        <Chip
          text={texts.auditLog.onlyRecord(String(id))}
          onRemove={() => change({ id: undefined })}
        />
      )}
      {request !== undefined && (
        <Chip
          text={texts.auditLog.onlyRequest(request)}
          onRemove={() => change({ request: undefined })}
        />
      )}
      {count > 0 && (
        <Button variant="quiet" onPress={() => onSearch(view ? { view } : {})}>
          {texts.auditLog.clear}
        </Button>
      )}
    </div>
  );
}
