import type { CatalogTemplate } from '@davit/api/catalog.ts';
import type { CatalogConfig } from '../config/config.ts';
import { itemOf as apiItemOf, iconPath } from '../http/item.ts';
import type { ListedTemplate } from '../store/types.ts';

/** Template data for web pages. It contains the fields that the API returns, and the path of the template's icon. */
export interface Item extends CatalogTemplate {
  icon_path: string;
}

export function itemOf(listed: ListedTemplate, config: CatalogConfig): Item {
  return { ...apiItemOf(listed, config), icon_path: `/api/v1${iconPath(listed.id, listed.release.commit)}` };
}
