import type { ReactNode } from 'react';

export interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** What it is about, in a sentence. */
  description?: ReactNode;
  children: ReactNode;
  wide?: boolean;
}
