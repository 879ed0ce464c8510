import type { TemplateSource } from '@davit/api';

export interface SourceFormProps {
  onRead: (source: TemplateSource) => void;
  busy: boolean;
  error: Error | null;
  /** Clears the error message of the form. */
  reset: () => void;
  onClose: () => void;
}
