import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { meQuery } from "~/api/session";
import { userQuery } from "~/api/users";
import { TokensPage } from "~/features/tokens/TokensPage";
import { ProblemAlert } from "~/ui/Alert";

const route = getRouteApi("/admin/users/$id/tokens");

export function OwnTokensRoute() {
  const user = useQuery(meQuery).data?.user;
  return user && <TokensPage key={user.public_id} user={user} isOwn />;
}

export function UserTokensRoute() {
  const { id } = route.useParams();
  const { data, error } = useQuery(userQuery(Number(id)));
  if (error && !data) return <ProblemAlert error={error} />;
  return data && <TokensPage key={id} user={data.data} isOwn={false} />;
}
