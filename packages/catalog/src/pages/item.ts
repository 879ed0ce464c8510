import type { CatalogTemplate } from '@davit/api/catalog.ts';
import type { CatalogConfig } from '../config/config.ts';
import { itemOf as apiItemOf, iconPath } from '../http/item.ts';
import type { ListedTemplate } from '../store/types.ts';

/** Template with the data that web pages show: all fields of the API, and the path of its icon. */
export interface Item extends CatalogTemplate {
  icon_path: string;
}

export function itemOf(listed: ListedTemplate, config: CatalogConfig): Item {
  return { ...apiItemOf(listed, config), icon_path: `/api/v1${iconPath(listed.id, listed.release.commit)}` };
}
