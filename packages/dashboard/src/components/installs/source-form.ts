import type { TemplateSource } from '@davit/api';

export interface SourceFormProps {
  onRead: (source: TemplateSource) => void;
  busy: boolean;
  error: Error | null;
  /** Clears `error`. */
  reset: () => void;
  onClose: () => void;
}
