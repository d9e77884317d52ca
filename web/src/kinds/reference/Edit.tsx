import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { candidatesQuery, objectQuery } from "~/api/objects";
import { typesQuery } from "~/api/objectTypes";
import { problemOf } from "~/api/problem";
import { useLocale } from "~/i18n";
import { summaryOf } from "~/model/object";
import { recordOf } from "~/model/record";
import { Button } from "~/ui/Button";
import { ComboBox } from "~/ui/ComboBox";
import { type EditProps, fieldProps } from "../kind";
import styles from "./reference.module.css";

/** Finds the object to refer to by what its type shows of it. */
export function Edit(props: EditProps) {
  const { field, value, onChange, onCreateTarget } = props;
  const { texts } = useLocale();
  const [text, setText] = useState<string>();
  const types = useQuery(typesQuery).data ?? [];
  const id = Number(value);
  const hasTarget = Number.isSafeInteger(id) && id > 0;
  const target = useQuery({ ...objectQuery(id), enabled: hasTarget });
  const targets = field.ref_types?.length
    ? types.filter((type) => field.ref_types?.includes(type.public_id))
    : types;
  const candidates = useQuery({
    ...candidatesQuery(targets, text ?? ""),
    enabled: text !== undefined && types.length > 0,
    placeholderData: keepPreviousData,
  });
  const options = (candidates.data ?? []).map((object) => {
    const type = types.find((type) => type.public_id === object.type_id);
    return {
      id: String(object.public_id),
      label: summaryOf(object, type) || `#${object.public_id}`,
      detail: `${type?.label ?? ""} #${object.public_id}`,
    };
  });
  const emptyText = candidates.error
    ? problemOf(candidates.error).detail
    : candidates.isFetching
      ? texts.loading
      : texts.form.noCandidates;
  const name = target.data ? recordOf(target.data).summary : `#${id}`;
  return (
    <div className={styles.edit}>
      <ComboBox
        {...fieldProps(props)}
        placeholder={texts.form.search}
        emptyText={emptyText}
        clearLabel={texts.form.nothing}
        chosen={hasTarget ? { id: String(id), label: name } : undefined}
        options={options}
        onSearch={setText}
        onChange={(chosen) => onChange(chosen === undefined ? null : Number(chosen))}
      />
      {onCreateTarget && (
        <Button variant="quiet" onPress={() => onCreateTarget(onChange)}>
          {texts.form.createRelated}
        </Button>
      )}
    </div>
  );
}
