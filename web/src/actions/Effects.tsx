import type { Effects as EffectsOfWrite } from "~/api/records";
import { useLocale } from "~/i18n";
import { effectCounts } from "~/model/effects";

/** What a dry run says would happen. */
export function Effects({ effects }: { effects: EffectsOfWrite | undefined }) {
  const { texts, number } = useLocale();
  if (!effects) return <p>{texts.loading}</p>;
  const counts = effectCounts(effects);
  if (counts.length === 0) return <p>{texts.admin.noEffects}</p>;
  const dangling = effects.dangling_references;
  return (
    <div>
      <p>{texts.admin.effectsTitle}</p>
      <ul>
        {counts.map(({ resource, action, count }) => (
          <li key={`${resource} ${action}`}>
            {texts.admin.effect(
              texts.actions[action] ?? action,
              number(count),
              texts.admin.resources[resource]?.(count) ?? resource,
            )}
          </li>
        ))}
        {effects.total > effects.changes.length && (
          <li>{texts.admin.moreEffects(number(effects.total))}</li>
        )}
        {dangling > 0 && <li>{texts.admin.dangling(dangling, number(dangling))}</li>}
      </ul>
    </div>
  );
}
