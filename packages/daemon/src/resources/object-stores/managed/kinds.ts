/** Task kinds of managed object stores. The functions that create them also create the task kinds of databases. */
import { type ExposingManagedService, exposeKindOf } from '../../../managed-services/expose.ts';
import {
  createKindOf,
  type RestoringManagedService,
  restoreKindOf,
  startKindOf,
  stopKindOf,
} from '../../../managed-services/kinds.ts';
import type { TaskKind } from '../../tasks/kind.ts';
import type { ObjectStoresDeps } from '../deps.ts';
import { type OfStore, STORE } from './managed-service.ts';

type Kind<I extends OfStore = OfStore> = TaskKind<I, ObjectStoresDeps>;

export interface ExposingStore extends OfStore, ExposingManagedService {}
export interface RestoringStore extends OfStore, RestoringManagedService {}

export const createStoreKind: Kind = createKindOf(STORE);
export const startStoreKind: Kind = startKindOf(STORE);
export const stopStoreKind: Kind = stopKindOf(STORE);
export const exposeStoreKind: Kind<ExposingStore> = exposeKindOf(STORE, 'expose');
export const unexposeStoreKind: Kind<ExposingStore> = exposeKindOf(STORE, 'unexpose');
export const restoreStoreKind: Kind<RestoringStore> = restoreKindOf(STORE);
