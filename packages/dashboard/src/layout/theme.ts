import { createStore, useStore } from '../util/store.ts';
import { THEMES, type Theme } from './themes.ts';

/**
 * Key in the browser's local storage for the selected theme. The script `theme.js` reads the theme before the first
 * paint.
 */
const KEPT = 'davit-theme';

function kept(): Theme {
  const text = localStorage.getItem(KEPT);
  return THEMES.find((one) => one === text) ?? 'system';
}

const theme = createStore<Theme>(kept());

// The browser sends a `storage` event if the user selected a theme in another tab.
window.addEventListener('storage', ({ key }) => {
  if (key === KEPT) show(kept());
});

function show(chosen: Theme): void {
  if (chosen === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosen;
  theme.set(chosen);
}

export function chooseTheme(chosen: Theme): void {
  if (chosen === 'system') localStorage.removeItem(KEPT);
  else localStorage.setItem(KEPT, chosen);
  show(chosen);
}

export function useTheme(): Theme {
  return useStore(theme);
}
