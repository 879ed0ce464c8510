import type { Core } from '../../core/core.ts';
import type { Binding } from '../bind.ts';

export const repositoryRoutes = (_core: Core): Binding[] => [];
