import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { CircleUser } from "lucide-react";
import {
  Button,
  Header,
  Menu,
  MenuItem,
  MenuSection,
  MenuTrigger,
  Popover,
  Separator,
} from "react-aria-components";
import { serverUrl } from "~/api/client";
import { logOut, meQuery } from "~/api/session";
import { LANGUAGES, type Language, useLocale } from "~/i18n";
import styles from "./AccountMenu.module.css";
import { type Theme, useTheme } from "./theme";

/** The caller: appearance, language, sessions, logout. */
export function AccountMenu({ onLogOut }: { onLogOut: () => void }) {
  const { texts, language, setLanguage } = useLocale();
  const [theme, setTheme] = useTheme();
  const me = useQuery(meQuery);
  const navigate = useNavigate();
  const themes: [Theme, string][] = [
    ["system", texts.system],
    ["light", texts.light],
    ["dark", texts.dark],
  ];
  const leave = async () => {
    await logOut();
    onLogOut();
  };
  return (
    <MenuTrigger>
      <Button className={styles.button ?? ""}>
        <CircleUser size={18} aria-hidden="true" />
        <span className="visually-hidden">{texts.account}</span>
        <span className={styles.name}>{me.data?.user.user_name}</span>
      </Button>
      <Popover className={styles.popover ?? ""} placement="bottom end">
        <Menu className={styles.menu ?? ""}>
          <MenuSection>
            <Header className={styles.header ?? ""}>
              {texts.loggedInAs(me.data?.user.user_name ?? "")}
            </Header>
            <Item onAction={() => navigate({ to: "/account" })}>{texts.accountPage.title}</Item>
            <Item onAction={() => navigate({ to: "/account/tokens" })}>{texts.tokens.title}</Item>
            <Item onAction={() => navigate({ to: "/account/sessions" })}>{texts.sessions}</Item>
            <Item href={new URL("docs/guide/", serverUrl).href}>{texts.apiDocs}</Item>
          </MenuSection>
          <Separator className={styles.separator ?? ""} />
          <MenuSection
            selectionMode="single"
            disallowEmptySelection
            selectedKeys={[theme]}
            onSelectionChange={(keys) => setTheme([...keys][0] as Theme)}
          >
            <Header className={styles.header ?? ""}>{texts.appearance}</Header>
            {themes.map(([id, label]) => (
              <Item key={id} id={id}>
                {label}
              </Item>
            ))}
          </MenuSection>
          <Separator className={styles.separator ?? ""} />
          <MenuSection
            selectionMode="single"
            disallowEmptySelection
            selectedKeys={[language]}
            onSelectionChange={(keys) => setLanguage([...keys][0] as Language)}
          >
            <Header className={styles.header ?? ""}>{texts.language}</Header>
            {Object.entries(LANGUAGES).map(([id, label]) => (
              <Item key={id} id={id}>
                {label}
              </Item>
            ))}
          </MenuSection>
          <Separator className={styles.separator ?? ""} />
          <Item onAction={leave}>{texts.logOut}</Item>
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}

function Item(props: { id?: string; href?: string; onAction?: () => void; children: string }) {
  return <MenuItem {...props} className={styles.item ?? ""} />;
}
