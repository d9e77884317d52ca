import { getRouteApi } from "@tanstack/react-router";
import { GroupPage } from "~/features/groups/GroupPage";

const route = getRouteApi("/admin/groups/$id");

export function GroupRoute() {
  const { id } = route.useParams();
  return <GroupPage key={id} id={Number(id)} />;
}
