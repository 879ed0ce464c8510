import type { DomainDraft } from './domain-draft.ts';

export interface DomainParts {
  draft: DomainDraft;
  setDraft: (draft: DomainDraft) => void;
  error: Error | null;
}
