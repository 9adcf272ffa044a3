import { Path, StyleSheet, Svg, Text, View } from '@react-pdf/renderer';
import type { ReactNode } from 'react';
import { displayFont, textFont } from './brand-fonts.ts';

/** The brand's colours on paper (docs/brand.md). */
export const ink = {
  satin: '#140f33',
  text: '#171334',
  mute: '#5a5675',
  line: '#e4decf',
  paper: '#fbf8f0',
  straw: '#e8c872',
  strawDeep: '#b98a35',
  blue: '#2e4be6',
  sky: '#7fa2ff',
  onSatinMute: '#cfcbea',
} as const;

/** Left and right margin of a page, in points. */
export const side = 48;

/** The line at the foot of every page. */
export const footStyle = {
  position: 'absolute',
  left: side,
  right: side,
  bottom: 26,
  borderTopWidth: 1,
  borderTopColor: ink.line,
  paddingTop: 8,
  fontSize: 8.5,
  color: ink.mute,
  flexDirection: 'row',
  justifyContent: 'space-between',
} as const;

const styles = StyleSheet.create({
  mark: { flexDirection: 'row', alignItems: 'center' },
  name: { fontFamily: displayFont, fontWeight: 700, fontSize: 17, marginLeft: 10 },
  label: { fontFamily: textFont, fontWeight: 700, fontSize: 8.5, color: ink.mute, marginBottom: 3 },
});

/** The logo, an arch of straw over a blue gem. */
function LogoMark({ size, dark = false }: { size: number; dark?: boolean }) {
  return (
    <Svg viewBox="0 0 48 48" width={size} height={size}>
      <Path
        d="M6 41C3 23 12 9 24 6M12 42C9 27 16 14 25 9M42 41C45 23 36 9 24 6M36 42C39 27 32 14 23 9"
        stroke={dark ? ink.straw : ink.strawDeep}
        strokeWidth={3.4}
        strokeLinecap="round"
        fill="none"
      />
      <Path d="m24 21 9.5 10-9.5 12-9.5-12Z" fill={dark ? ink.sky : ink.blue} />
    </Svg>
  );
}

export function AcademyMark({ name, dark = false }: { name: string; dark?: boolean }) {
  return (
    <View style={styles.mark}>
      <LogoMark size={34} dark={dark} />
      <Text style={[styles.name, { color: dark ? '#ffffff' : ink.text }]}>{name}</Text>
    </View>
  );
}

/** A small heading over a few lines. */
export function Labelled({ label, children }: { label: string; children: ReactNode }) {
  return (
    <View>
      <Text style={styles.label}>{label}</Text>
      {children}
    </View>
  );
}
