import { getRouteApi } from "@tanstack/react-router";
import { UserPage } from "~/features/users/UserPage";
import { UsersPage } from "~/features/users/UsersPage";

const users = getRouteApi("/admin/users");
const user = getRouteApi("/admin/users/$id");

export function UsersRoute() {
  const navigate = users.useNavigate();
  return (
    <UsersPage
      search={users.useSearch()}
      onSearch={(search) => navigate({ search, replace: true })}
    />
  );
}

export function UserRoute() {
  const { id } = user.useParams();
  return <UserPage key={id} id={Number(id)} />;
}
