/** What takes a while with a store that the instance runs: its life, which is that of whatever the instance runs. */
import { type ExposingResident, exposeKindOf } from '../../residents/expose.ts';
import { createKindOf, type RestoringResident, restoreKindOf, startKindOf, stopKindOf } from '../../residents/kinds.ts';
import type { TaskKind } from '../../tasks/kind.ts';
import { type OfStore, STORE, type StoreBase } from './resident.ts';

type Kind<I extends OfStore = OfStore> = TaskKind<I, StoreBase>;

export interface ExposingStore extends OfStore, ExposingResident {}
export interface RestoringStore extends OfStore, RestoringResident {}

export const createStoreKind: Kind = createKindOf(STORE);
export const startStoreKind: Kind = startKindOf(STORE);
export const stopStoreKind: Kind = stopKindOf(STORE);
export const exposeStoreKind: Kind<ExposingStore> = exposeKindOf(STORE, 'expose');
export const unexposeStoreKind: Kind<ExposingStore> = exposeKindOf(STORE, 'unexpose');
export const restoreStoreKind: Kind<RestoringStore> = restoreKindOf(STORE);
