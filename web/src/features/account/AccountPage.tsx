import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { meQuery } from "~/api/session";
import { useLocale } from "~/i18n";
import { may } from "~/model/rights";
import { buttonClass } from "~/ui/Button";
import { Page, Panel } from "~/ui/Page";
import { DataForm } from "./DataForm";
import { PasswordForm } from "./PasswordForm";
import { Settings } from "./Settings";

/** The caller's own data, password and settings. */
export function AccountPage() {
  const { texts } = useLocale();
  const me = useQuery(meQuery).data;
  if (!me) return null;
  const { user, group } = me;
  return (
    <Page
      title={texts.accountPage.title}
      hint={`${user.user_name} · ${texts.accountPage.group(group.label || group.name)}`}
      actions={
        <>
          <Link to="/account/tokens" className={buttonClass("quiet")}>
            {texts.tokens.title}
          </Link>
          <Link to="/account/sessions" className={buttonClass("quiet")}>
            {texts.accountPage.sessions}
          </Link>
        </>
      }
    >
      <Panel title={texts.accountPage.data}>
        <DataForm user={user} mayRename={may(me, "base.user-management.user.edit")} />
      </Panel>
      <Panel title={texts.accountPage.changePassword}>
        <PasswordForm user={user} rule={me.password_rule} />
      </Panel>
      <Panel title={texts.accountPage.settings}>
        <Settings user={user.public_id} />
      </Panel>
    </Page>
  );
}
