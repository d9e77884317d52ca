import type { ReactNode } from "react";
import { Tabs as AriaTabs, Tab, TabList, TabPanel } from "react-aria-components";
import styles from "./Tabs.module.css";

interface Props<T extends string> {
  label: string;
  tabs: readonly { id: T; label: string }[];
  selected: T;
  onSelect: (id: T) => void;
  /** What the selected tab shows. */
  children: ReactNode;
}

/** Several views of one thing, one at a time. */
export function Tabs<T extends string>({ label, tabs, selected, onSelect, children }: Props<T>) {
  return (
    <AriaTabs selectedKey={selected} onSelectionChange={(key) => onSelect(key as T)}>
      <TabList aria-label={label} className={styles.tabs ?? ""}>
        {tabs.map((tab) => (
          <Tab key={tab.id} id={tab.id} className={styles.tab ?? ""}>
            {tab.label}
          </Tab>
        ))}
      </TabList>
      {tabs.map((tab) => (
        <TabPanel key={tab.id} id={tab.id} className={styles.panel ?? ""}>
          {tab.id === selected && children}
        </TabPanel>
      ))}
    </AriaTabs>
  );
}
