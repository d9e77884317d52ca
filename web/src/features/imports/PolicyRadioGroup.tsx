import type { ImportPolicy } from "~/api/imports";
import { useLocale } from "~/i18n";
import { RadioChoice } from "~/kit/RadioChoice";
import { POLICIES } from "~/model/importMapping";

interface Props {
  value: ImportPolicy;
  onChange: (policy: ImportPolicy) => void;
}

/** What happens when a row is refused. */
export function PolicyChoice({ value, onChange }: Props) {
  const { texts } = useLocale();
  return (
    <RadioChoice
      label={texts.imports.policy}
      options={POLICIES.map((id) => ({ id, ...texts.imports.policies[id] }))}
      value={value}
      onChange={onChange}
    />
  );
}
