import type { ReactNode } from 'react';

export interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  /** Sentence that explains the purpose of the dialog. */
  description?: ReactNode;
  children: ReactNode;
  wide?: boolean;
  /**
   * Whether the dialog stays open after a click outside of it, because it shows a secret only once. Default: `false`.
   */
  staysOpen?: boolean;
}
