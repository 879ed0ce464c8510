import type { ReactNode } from 'react';

export interface MenuItem {
  label: string;
  icon?: ReactNode;
  /** Content at the end of the menu item, such as a check mark. */
  end?: ReactNode;
  onSelect: () => void;
  danger?: boolean;
  /** Reason why the menu item is disabled, or `null` if it is enabled. */
  disabledBecause?: string | null;
}
