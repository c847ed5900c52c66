/** The pages of groups: all of them, or one to be edited. */
import { GroupList } from "./GroupList";
import { GroupPage } from "./GroupPage";
import "./groups.css";

export default function Groups({ id }: { id?: string }) {
  return id ? <GroupPage key={id} id={id} /> : <GroupList />;
}
