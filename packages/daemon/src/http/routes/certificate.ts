import type { Core } from '../../core/core.ts';
import type { Binding } from '../bind.ts';

export const certificateRoutes = (_core: Core): Binding[] => [];
