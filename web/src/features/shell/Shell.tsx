import { Link, Outlet, useLocation, useNavigate } from "@tanstack/react-router";
import { Menu as MenuIcon, Search } from "lucide-react";
import { useEffect, useState } from "react";
import { useAllActions } from "~/actions";
import { useLocale } from "~/i18n";
import logo from "~/styles/icon.svg?no-inline";
import { Button } from "~/ui/Button";
import { AccountMenu } from "./AccountMenu";
import { AdminLinks } from "./AdminLinks";
import { InventoryLinks } from "./InventoryLinks";
import { InventoryTree } from "./InventoryTree";
import { PinnedViews } from "./PinnedViews";
import styles from "./Shell.module.css";

/** What surrounds every screen: the tree, the bar, and the menu of the caller. */
export function Shell({ onLogOut }: { onLogOut: () => void }) {
  const { texts } = useLocale();
  const navigate = useNavigate();
  const [isOpen, setIsOpen] = useState(false);
  const { href } = useLocation();
  // On a phone, the tree covers the screen that it led to.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new address is the reason
  useEffect(() => setIsOpen(false), [href]);
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#content">
        {texts.skipToContent}
      </a>
      <header className={styles.bar}>
        <span className={styles.menu}>
          <Button
            variant="quiet"
            aria-label={texts.openMenu}
            aria-expanded={isOpen}
            onPress={() => setIsOpen(!isOpen)}
          >
            <MenuIcon size={18} aria-hidden="true" />
          </Button>
        </span>
        <Link to="/" className={styles.brand}>
          <img src={logo} alt="" width={22} height={22} />
          {texts.appName}
        </Link>
        <SearchButton />
        <AccountMenu onLogOut={onLogOut} />
      </header>
      <nav className={styles.side} data-open={isOpen} aria-label={texts.inventory}>
        <PinnedViews />
        <InventoryTree onOpenType={(type) => navigate({ to: "/objects", search: { type } })} />
        <div className={styles.links}>
          <InventoryLinks />
          <AdminLinks />
        </div>
      </nav>
      <main id="content" className={styles.content} tabIndex={-1}>
        <Outlet />
      </main>
    </div>
  );
}

function SearchButton() {
  const { texts } = useLocale();
  const palette = useAllActions().find(({ id }) => id === "palette");
  return (
    <span className={styles.search}>
      <Button onPress={() => palette?.run()}>
        <Search size={15} aria-hidden="true" />
        <span className={styles.searchText}>{texts.palette.shortHint}</span>
      </Button>
    </span>
  );
}
