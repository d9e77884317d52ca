import { useMutation, useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import type { Token, User } from "~/api/records";
import { revokeTokenMutation, tokensQuery } from "~/api/tokens";
import { useLocale } from "~/i18n";
import { ProblemAlert } from "~/ui/Alert";
import { Button } from "~/ui/Button";
import { ConfirmDialog } from "~/ui/ConfirmDialog";
import { Facts } from "~/ui/Facts";
import { Page, Panel } from "~/ui/Page";
import { toast } from "~/ui/Toasts";
import { NewToken } from "./NewToken";
import styles from "./Tokens.module.css";
import { useLimits } from "./useLimits";

interface Props {
  user: Pick<User, "public_id" | "user_name">;
  isOwn: boolean;
}

/** The tokens of a user. */
export function TokensPage({ user, isOwn }: Props) {
  const { texts } = useLocale();
  const tokens = useQuery(tokensQuery(user.public_id));
  const [isNew, setIsNew] = useState(false);
  const [revoked, setRevoked] = useState<Token>();
  return (
    <Page
      title={isOwn ? texts.tokens.title : texts.tokens.titleOf(user.user_name)}
      hint={isOwn ? texts.tokens.hint : texts.tokens.hintOther}
      actions={
        <Button variant="primary" onPress={() => setIsNew(true)}>
          <Plus size={14} aria-hidden="true" />
          {texts.tokens.create}
        </Button>
      }
    >
      {tokens.error && <ProblemAlert error={tokens.error} onRetry={() => tokens.refetch()} />}
      {tokens.data?.length === 0 && <p className={styles.soft}>{texts.tokens.empty}</p>}
      {tokens.data?.map((token) => (
        <Panel key={token.public_id} title={token.name}>
          <TokenFacts token={token} />
          <div>
            <Button
              aria-label={texts.tokens.revokeOf(token.name)}
              onPress={() => setRevoked(token)}
            >
              {texts.tokens.revoke}
            </Button>
          </div>
        </Panel>
      ))}
      {isNew && <NewToken user={user.public_id} isOwn={isOwn} onClose={() => setIsNew(false)} />}
      {revoked && <Revoke token={revoked} onClose={() => setRevoked(undefined)} />}
    </Page>
  );
}

function TokenFacts({ token }: { token: Token }) {
  const { texts, time } = useLocale();
  const limits = useLimits(token);
  // Times of the API are in UTC.
  const shown = (at: string | null) => (at ? time(new Date(`${at}Z`)) : undefined);
  const used = shown(token.last_used_at);
  const begins = <code>{token.prefix}…</code>;
  const from = token.last_used_from ?? texts.none;
  return (
    <Facts
      facts={[
        [texts.tokens.begins, begins],
        [texts.tokens.may, limits.access],
        [texts.tokens.types, limits.types],
        [texts.tokens.networks, limits.networks],
        [texts.tokens.expires, shown(token.expires_at) ?? texts.tokens.never],
        [texts.tokens.created, shown(token.created_at) ?? texts.none],
        [texts.tokens.used, used ? texts.tokens.usedFrom(used, from) : texts.tokens.unused],
      ]}
    />
  );
}

function Revoke({ token, onClose }: { token: Token; onClose: () => void }) {
  const { texts } = useLocale();
  const revoke = useMutation({
    ...revokeTokenMutation,
    onSuccess: () => {
      toast(texts.tokens.revoked(token.name));
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={texts.tokens.revokeOf(token.name)}
      isOpen
      onClose={onClose}
      confirmLabel={texts.tokens.revoke}
      onConfirm={() => revoke.mutate(token.public_id)}
      isPending={revoke.isPending}
      error={revoke.error ?? undefined}
    >
      <p>{texts.tokens.revokeText}</p>
    </ConfirmDialog>
  );
}
