/** The header of every page: where one can go, who one is, and the color scheme. */
import { ActionIcon, Burger, Group, Menu, Text, useComputedColorScheme, useMantineColorScheme } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconLogout, IconMoon, IconSun, IconUser } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link, useLocation } from "wouter";
import icon from "../../icon.svg";
import { levelName } from "../levels";
import { useIsSigningOut, useSignOut, type Viewer, viewerOptions } from "../session";
import { leave } from "./leaving";

/** The document that a page is in: links between pages of the application load nothing anew. */
export type DocumentName = "app" | "query";

interface Place {
  readonly href: string;
  readonly label: string;
  /** The document that shows it; none for one without this header. */
  readonly document?: DocumentName;
}

const places: readonly Place[] = [
  { href: "/", label: "Explorer", document: "app" },
  { href: "/groups", label: "Groups", document: "app" },
  { href: "/query", label: "Query", document: "query" },
  { href: "/docs", label: "REST docs" },
  { href: "/keys", label: "API keys", document: "app" },
];

/** The header. */
export function Header({ page }: { page: DocumentName }) {
  const { data: viewer } = useQuery(viewerOptions);
  const [path] = useLocation();
  const isHere = ({ href }: Place) => (href === "/" ? path === "/" : path === href || path.startsWith(`${href}/`));
  const shown = viewer ? places : places.filter(({ href }) => href === "/docs");
  return (
    <Group h="100%" px="sm" gap="xs" wrap="nowrap" justify="space-between">
      <Group gap={4} wrap="nowrap">
        <PlaceLink to={{ href: "/", label: "Toposcope", document: "app" }} from={page} className="brand">
          <img src={icon} alt="" width={24} height={24} />
          Toposcope
        </PlaceLink>
        <Group component="nav" aria-label="Pages" gap={2} ml="md" wrap="nowrap" visibleFrom="sm">
          {shown.map((place) => (
            <PlaceLink key={place.href} to={place} from={page} className="nav-link" isHere={isHere(place)} />
          ))}
        </Group>
      </Group>
      <Group gap="xs" wrap="nowrap">
        <ColorScheme />
        {viewer && <Account viewer={viewer} />}
        <NarrowMenu places={shown} page={page} isHere={isHere} />
      </Group>
    </Group>
  );
}

interface PlaceLinkProps {
  readonly to: Place;
  readonly from: DocumentName;
  readonly className?: string;
  readonly isHere?: boolean;
  readonly children?: ReactNode;
}

function PlaceLink({ to, from, isHere = false, children, ...rest }: PlaceLinkProps) {
  const current = isHere ? { "aria-current": "page" as const } : {};
  const content = children ?? to.label;
  if (from === "app" && to.document === "app") {
    return (
      <Link href={to.href} {...current} {...rest}>
        {content}
      </Link>
    );
  }
  return (
    <a href={to.href} {...current} {...rest}>
      {content}
    </a>
  );
}

function ColorScheme() {
  const { setColorScheme } = useMantineColorScheme();
  const other = useComputedColorScheme("light") === "light" ? "dark" : "light";
  const label = `Use the ${other} color scheme`;
  return (
    <ActionIcon variant="default" size="lg" aria-label={label} title={label} onClick={() => setColorScheme(other)}>
      {other === "dark" ? <IconMoon size={18} aria-hidden /> : <IconSun size={18} aria-hidden />}
    </ActionIcon>
  );
}

function Account({ viewer }: { viewer: Viewer }) {
  const isSigningOut = useIsSigningOut();
  const signOut = useSignOut(({ message }) =>
    notifications.show({ color: "red", title: "You are still signed in", message }),
  );
  return (
    <Menu position="bottom-end" width={260}>
      <Menu.Target>
        <ActionIcon variant="default" size="lg" aria-label="Account" title={viewer.user?.email ?? "Account"}>
          <IconUser size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" c="bright" truncate>
            {viewer.user?.email}
          </Text>
          <Text size="xs">
            {levelName(viewer.permissions)} of {viewer.organization?.name}
          </Text>
        </Menu.Label>
        <Menu.Divider />
        <Menu.Item component="a" href="/licences.txt">
          Licences of what is in these pages
        </Menu.Item>
        <Menu.Item
          leftSection={<IconLogout size={16} aria-hidden />}
          disabled={isSigningOut}
          onClick={() => leave(signOut)}
        >
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

interface NarrowMenuProps {
  readonly places: readonly Place[];
  readonly page: DocumentName;
  readonly isHere: (place: Place) => boolean;
}

function NarrowMenu({ places, page, isHere }: NarrowMenuProps) {
  const [, navigate] = useLocation();
  const go = ({ href, document }: Place) => {
    if (page === "app" && document === "app") navigate(href);
    else window.location.assign(href);
  };
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <Burger hiddenFrom="sm" size="sm" aria-label="Pages" />
      </Menu.Target>
      <Menu.Dropdown>
        {places.map((place) => (
          <Menu.Item
            key={place.href}
            onClick={() => go(place)}
            {...(isHere(place) ? { "aria-current": "page", fw: 600 } : {})}
          >
            {place.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
