import type { SearchTab } from '../../ui/search-tabs.tsx';

export type DatabaseTab = 'overview' | 'backups' | 'metrics' | 'logs' | 'settings';

export const DATABASE_TABS: readonly SearchTab<DatabaseTab>[] = [
  { value: 'overview', label: 'Overview' },
  { value: 'backups', label: 'Backups' },
  { value: 'metrics', label: 'Metrics' },
  { value: 'logs', label: 'Logs' },
  { value: 'settings', label: 'Settings' },
];
