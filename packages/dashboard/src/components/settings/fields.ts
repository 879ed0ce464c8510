import { IMAGES, REGISTRY } from './fields-of-disk.ts';
import { NETWORK } from './fields-of-network.ts';
import { RECORDS } from './fields-of-records.ts';
import { ACME, ADDRESSES, API } from './fields-of-serving.ts';
import { TEMPLATES } from './fields-of-templates.ts';
import { UPDATES } from './fields-of-updates.ts';
import type { SettingSection } from './section.ts';

/** Sections of the settings page in display order. */
export const SECTIONS: readonly SettingSection[] = [
  ADDRESSES,
  NETWORK,
  ACME,
  IMAGES,
  REGISTRY,
  RECORDS,
  TEMPLATES,
  UPDATES,
  API,
];
