import { chooseTheme, useTheme } from '../../layout/theme.ts';
import { THEMES, type Theme } from '../../layout/themes.ts';
import { Card } from '../../ui/card.tsx';
import { RadioGroup } from '../../ui/radio.tsx';

const LABELS: Record<Theme, string> = { system: 'As this machine has it', light: 'Light', dark: 'Dark' };

/** Renders the choice of the theme, which is stored in this browser. */
export function Appearance() {
  return (
    <Card title="Appearance" description="Of this browser alone.">
      <RadioGroup
        label="Colours"
        choices={THEMES.map((value) => ({ value, label: LABELS[value] }))}
        value={useTheme()}
        onChange={chooseTheme}
      />
    </Card>
  );
}
