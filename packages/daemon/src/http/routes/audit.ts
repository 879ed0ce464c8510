import type { Core } from '../../core/core.ts';
import type { Binding } from '../bind.ts';

export const auditRoutes = (_core: Core): Binding[] => [];
