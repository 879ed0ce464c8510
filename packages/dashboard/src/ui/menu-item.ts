import type { ReactNode } from 'react';

export interface MenuItem {
  label: string;
  icon?: ReactNode;
  /** At its end: a mark of what is chosen. */
  end?: ReactNode;
  onSelect: () => void;
  danger?: boolean;
  /** Why it cannot be chosen now; null: it can. */
  disabledBecause?: string | null;
}
