import type { Domain } from '@davit/api';
import type { DomainRow } from '../store/domains.ts';

export function presentDomain({ id, host, port, protocol }: DomainRow): Domain {
  return { id, host, port, protocol };
}
