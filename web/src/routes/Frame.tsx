import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { ActionsProvider, useActions } from "~/actions";
import { useRights } from "~/actions/rights";
import { IMPORT_RIGHT } from "~/api/imports";
import { problemOf } from "~/api/problem";
import { meQuery } from "~/api/session";
import { LoginPage } from "~/features/login/LoginPage";
import { SessionEnd } from "~/features/login/SessionEnd";
import { KeysHelp } from "~/features/palette/KeysHelp";
import { Palette } from "~/features/palette/Palette";
import { Shell } from "~/features/shell/Shell";
import { useLocale } from "~/i18n";
import { ProblemAlert } from "~/ui/Alert";
import { Toasts } from "~/ui/Toasts";
import { Live } from "./Live";
import { Preload } from "./Preload";
import { useSessionOwner } from "./useSessionOwner";

/** The login, or what surrounds every screen. */
export function Frame() {
  const me = useQuery(meQuery);
  const session = useSessionOwner(me.data?.user.public_id);
  const goOn = () => void session.check().catch(() => me.refetch());
  if (session.isLeaving) return null;
  if (me.data) {
    return (
      <ActionsProvider>
        <Shell onLogOut={session.leave} />
        <Commands />
        <Live />
        <Preload />
        <Toasts />
        <SessionEnd isOpen={session.hasEnded} onLogIn={goOn} />
      </ActionsProvider>
    );
  }
  if (me.error && problemOf(me.error).status === 401) {
    return <LoginPage onLogIn={goOn} />;
  }
  if (me.error) return <ProblemAlert error={me.error} onRetry={() => me.refetch()} />;
  return null;
}

/** What can be done on every screen. */
function Commands() {
  const { texts } = useLocale();
  const navigate = useNavigate();
  const rights = useRights();
  const mayImport = rights.has(IMPORT_RIGHT);
  const maySeeDeleted = rights.has("base.framework.log.view");
  const imports = [
    {
      id: "go-imports",
      label: texts.imports.go,
      keys: "g i",
      run: () => navigate({ to: "/imports" }),
    },
    {
      id: "import",
      label: texts.imports.begin,
      run: () => navigate({ to: "/imports/new" }),
    },
  ];
  const deleted = {
    id: "go-deleted",
    label: texts.palette.goDeleted,
    run: () => navigate({ to: "/deleted" }),
  };
  useActions([
    { id: "go-home", label: texts.palette.goHome, keys: "g h", run: () => navigate({ to: "/" }) },
    {
      id: "go-objects",
      label: texts.palette.goObjects,
      keys: "g o",
      run: () => navigate({ to: "/objects" }),
    },
    {
      id: "go-types",
      label: texts.palette.goTypes,
      keys: "g t",
      run: () => navigate({ to: "/types" }),
    },
    ...(mayImport ? imports : []),
    ...(maySeeDeleted ? [deleted] : []),
  ]);
  return (
    <>
      <Palette />
      <KeysHelp />
    </>
  );
}
