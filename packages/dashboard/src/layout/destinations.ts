import {
  Archive,
  Boxes,
  CircleHelp,
  Database,
  Gauge,
  LayoutTemplate,
  type LucideIcon,
  Package,
  ScrollText,
  Settings,
  ShieldCheck,
  Users,
} from 'lucide-react';
import { paths } from '../paths.ts';

export interface Destination {
  name: string;
  to: string;
  icon: LucideIcon;
  /** URLs of additional pages under this sidebar entry. The page of the entry shows these pages as tabs. */
  tabs?: readonly string[];
}

export const DESTINATIONS: readonly Destination[] = [
  { name: 'Overview', to: paths.overview(), icon: Gauge },
  { name: 'Projects', to: paths.projects(), icon: Boxes },
  { name: 'Databases', to: paths.databases(), icon: Database, tabs: [paths.backups(), paths.tasks()] },
  { name: 'Object stores', to: paths.objectStores(), icon: Archive },
  { name: 'Templates', to: paths.templates(), icon: LayoutTemplate, tabs: [paths.installs()] },
  { name: 'Registry', to: paths.registry(), icon: Package },
  { name: 'Certificates', to: paths.certificates(), icon: ShieldCheck },
  { name: 'Users', to: paths.users(), icon: Users },
  { name: 'Audit', to: paths.audit(), icon: ScrollText },
  { name: 'Settings', to: paths.settings(), icon: Settings },
  { name: 'Help', to: paths.help(), icon: CircleHelp },
];

/**
 * Returns whether the current page is a tab of a sidebar entry. Use this function only for tabs whose URL does not
 * begin with the URL of the sidebar entry.
 */
export function isUnderTab({ tabs = [] }: Destination, pathname: string): boolean {
  return tabs.some((tab) => pathname === tab || pathname.startsWith(`${tab}/`));
}
