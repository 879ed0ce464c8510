import type { ReactNode } from 'react';

export interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** Sentence that explains the purpose of the dialog. */
  description?: ReactNode;
  children: ReactNode;
  wide?: boolean;
  /** Whether a click outside keeps the dialog open, because it shows a secret only once. Default: `false`. */
  staysOpen?: boolean;
}
