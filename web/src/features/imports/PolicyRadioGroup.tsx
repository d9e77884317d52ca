import type { ImportPolicy } from "~/api/records";
import { useLocale } from "~/i18n";
import { POLICIES } from "~/model/importMapping";
import { RadioGroup } from "~/ui/RadioGroup";

interface Props {
  value: ImportPolicy;
  onChange: (policy: ImportPolicy) => void;
}

/** What happens when a row is refused. */
export function PolicyRadioGroup({ value, onChange }: Props) {
  const { texts } = useLocale();
  return (
    <RadioGroup
      label={texts.imports.policy}
      options={POLICIES.map((id) => ({ id, ...texts.imports.policies[id] }))}
      value={value}
      onChange={onChange}
    />
  );
}
