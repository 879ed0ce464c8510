import type { CatalogTemplate } from '@davit/api/catalog.ts';
import type { CatalogConfig } from '../config/config.ts';
import { itemOf as apiItemOf, iconPath } from '../http/item.ts';
import type { ListedTemplate } from '../store/types.ts';

/** Template for a web page: the fields of the API, and the path of the icon in this catalog. */
export interface Item extends CatalogTemplate {
  icon_path: string;
}

export function itemOf(listed: ListedTemplate, config: CatalogConfig): Item {
  return { ...apiItemOf(listed, config), icon_path: `/api/v1${iconPath(listed.id, listed.release.commit)}` };
}
