import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { userNamesQuery, usersQuery } from "~/api/users";
import { useLocale } from "~/i18n";
import { fullName } from "~/model/users";
import { ComboBox } from "~/ui/ComboBox";

interface Props {
  value: number | undefined;
  onChange: (user: number | undefined) => void;
}

/** A user, found by name. */
export function ActorComboBox({ value, onChange }: Props) {
  const { texts } = useLocale();
  const [text, setText] = useState<string>();
  const found = useQuery({
    ...usersQuery(text ? { text } : {}),
    enabled: text !== undefined,
    placeholderData: keepPreviousData,
  });
  const names = useQuery(userNamesQuery(value ? [value] : [])).data;
  const options = (found.data?.results ?? []).map((user) => ({
    id: String(user.public_id),
    label: user.user_name,
    detail: fullName(user),
  }));
  const name = (id: number) => names?.get(id) ?? texts.user(String(id));
  return (
    <ComboBox
      label={texts.auditLog.who}
      placeholder={texts.auditLog.anybody}
      emptyText={texts.auditLog.noUser}
      clearLabel={texts.auditLog.anybody}
      chosen={
        value === undefined
          ? undefined
          : { id: String(value), label: value === 0 ? texts.unknownUser : name(value) }
      }
      options={options}
      onSearch={setText}
      onChange={(id) => onChange(id === undefined ? undefined : Number(id))}
    />
  );
}
