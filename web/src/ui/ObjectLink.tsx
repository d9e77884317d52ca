import { useRouter } from "@tanstack/react-router";
import type { MouseEvent, ReactNode } from "react";
import { serverUrl } from "~/api/client";

interface Props {
  id: number;
  children: ReactNode;
  className?: string | undefined;
  tabIndex?: number;
  "aria-label"?: string;
}

/** A link to an object. The router's own links follow each change of the address: a table has a hundred. */
export function ObjectLink({ id, children, ...props }: Props) {
  const router = useRouter();
  const open = (event: MouseEvent) => {
    const isPlain = event.button === 0 && !event.defaultPrevented;
    if (!isPlain || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    router.navigate({ to: "/objects/$id", params: { id: String(id) } });
  };
  return (
    <a {...props} href={`${serverUrl.pathname}objects/${id}`} onClick={open}>
      {children}
    </a>
  );
}
