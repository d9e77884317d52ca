import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { Tab, TabList, TabPanel, Tabs } from "react-aria-components";
import { LeaveGuard } from "~/actions/LeaveGuard";
import { useUndoable } from "~/actions/useUndoable";
import type { WrittenType } from "~/api/objectTypes";
import { meQuery } from "~/api/session";
import { useLocale } from "~/i18n";
import { may } from "~/model/rights";
import { lostAccess } from "~/model/typeAccess";
import { riskyChanges } from "~/model/typeChanges";
import { AccessTab } from "./AccessTab";
import { Alerts } from "./Alerts";
import { ConflictDialog } from "./ConflictDialog";
import { DesignerHeader } from "./DesignerHeader";
import styles from "./DesignerPage.module.css";
import { FieldsTab } from "./FieldsTab";
import { JsonTab } from "./JsonTab";
import { LookTab } from "./LookTab";
import { ReviewDialog } from "./ReviewDialog";
import { SampleTab } from "./SampleTab";
import type { DesignerTab } from "./tabs";
import { UncleanAlert } from "./UncleanAlert";
import { useAccessGroups } from "./useAccessGroups";
import { type Origin, useTypeDesign } from "./useTypeDesign";

interface Props {
  origin: Origin;
  tab: DesignerTab;
  onTab: (tab: DesignerTab) => void;
}

/** A type in parts: its fields, how it looks, who may use it, a sample, and all of it as JSON. */
export function Designer({ origin, tab, onTab }: Props) {
  const { texts } = useLocale();
  const { id } = origin;
  const me = useQuery(meQuery).data;
  const navigate = useNavigate();
  const undoable = useUndoable();
  const types = useTypeDesign(origin);
  const { draft, base, isChanged } = types;
  const [isReviewing, setIsReviewing] = useState(false);
  const [created, setCreated] = useState<WrittenType>();
  const mayWrite = may(me, `base.framework.type.${id === undefined ? "add" : "edit"}`);
  const design = { draft, base, change: types.change, faults: types.faults };
  useStoredElsewhere(origin, types);
  const save = async () => {
    setIsReviewing(false);
    const written = await types.save();
    if (!written) return;
    const { label, name } = written.type;
    const said = id === undefined ? texts.designer.created : texts.designer.saved;
    await undoable(said(label || name), written.requestId);
    if (id === undefined) setCreated(written);
  };
  // The address changes once the guard knows that nothing is lost.
  useEffect(() => {
    if (!created) return;
    const params = { id: String(created.type.public_id) };
    const search = tab === "fields" ? {} : { tab };
    navigate({ to: "/types/$id", params, search, replace: true });
  }, [created, navigate, tab]);
  const { groups, isComplete } = useAccessGroups(base, draft);
  const narrows = lostAccess(base, draft, groups).length > 0;
  const hidesOthers = !isComplete && draft.type.acl.activated && !base.type.acl.activated;
  const isRisky =
    id !== undefined && (riskyChanges(base, draft).length > 0 || narrows || hidesOthers);
  const begin = () => {
    if (!types.check()) return;
    if (isRisky) setIsReviewing(true);
    else void save();
  };
  const all: [DesignerTab, string][] = [
    ["fields", texts.designer.tabFields],
    ["look", texts.designer.tabLook],
    ["access", texts.designer.tabAccess],
    ["sample", texts.designer.tabSample],
    ["json", texts.designer.tabJson],
  ];
  const shown = all.filter(([name]) => mayWrite || name === "sample" || name === "json");
  const chosen = shown.some(([name]) => name === tab) ? tab : (shown[0]?.[0] ?? "sample");
  return (
    <article className={styles.page}>
      <DesignerHeader
        id={id}
        design={design}
        types={types}
        mayWrite={mayWrite}
        onSave={begin}
        onPreview={() => setIsReviewing(true)}
      />
      {!mayWrite && <p className={styles.note}>{texts.designer.readOnly}</p>}
      <Alerts types={types} />
      {id !== undefined && <UncleanAlert type={base.type} />}
      <Tabs
        className={styles.tabs ?? ""}
        selectedKey={chosen}
        onSelectionChange={(key) => onTab(key as DesignerTab)}
      >
        <TabList aria-label={texts.designer.title} className={styles.tabList ?? ""}>
          {shown.map(([name, label]) => (
            <Tab key={name} id={name} className={styles.tab ?? ""}>
              {label}
            </Tab>
          ))}
        </TabList>
        <TabPanel id="fields" className={styles.panel ?? ""}>
          <FieldsTab design={design} />
        </TabPanel>
        <TabPanel id="look" className={styles.panel ?? ""}>
          <LookTab design={design} />
        </TabPanel>
        <TabPanel id="access" className={styles.panel ?? ""}>
          <AccessTab design={design} />
        </TabPanel>
        <TabPanel id="sample" className={styles.panel ?? ""}>
          <SampleTab draft={draft} />
        </TabPanel>
        <TabPanel id="json" className={styles.panel ?? ""}>
          <JsonTab design={design} isReadOnly={!mayWrite} />
        </TabPanel>
      </Tabs>
      {id !== undefined && isReviewing && (
        <ReviewDialog
          id={id}
          base={base}
          draft={draft}
          onClose={() => setIsReviewing(false)}
          onSave={() => void save()}
        />
      )}
      {id !== undefined && types.isConflict && (
        <ConflictDialog
          id={id}
          onReload={(stored) => types.take(stored)}
          onClose={types.forgetProblem}
        />
      )}
      <LeaveGuard isActive={isChanged && !created} />
    </article>
  );
}

/** Follows what is stored as long as there is nothing to lose, as after an undo. */
function useStoredElsewhere(origin: Origin, types: ReturnType<typeof useTypeDesign>) {
  const { revision, type } = origin;
  const seen = useRef(revision);
  const { take, isChanged, revision: known } = types;
  useEffect(() => {
    if (seen.current === revision) return;
    seen.current = revision;
    if (!isChanged && revision !== known) take({ data: type, revision });
  }, [revision, type, known, isChanged, take]);
}
