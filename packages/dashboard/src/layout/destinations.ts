import {
  Archive,
  Boxes,
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
}

export const DESTINATIONS: readonly Destination[] = [
  { name: 'Overview', to: paths.overview(), icon: Gauge },
  { name: 'Projects', to: paths.projects(), icon: Boxes },
  { name: 'Databases', to: paths.databases(), icon: Database },
  { name: 'Object stores', to: paths.stores(), icon: Archive },
  { name: 'Templates', to: paths.templates(), icon: LayoutTemplate },
  { name: 'Registry', to: paths.registry(), icon: Package },
  { name: 'Certificates', to: paths.certificates(), icon: ShieldCheck },
  { name: 'Users', to: paths.users(), icon: Users },
  { name: 'Audit', to: paths.audit(), icon: ScrollText },
  { name: 'Settings', to: paths.settings(), icon: Settings },
];
