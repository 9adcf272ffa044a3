import { Document, Page, Path, StyleSheet, Svg, Text, View } from '@react-pdf/renderer';
import type { Day } from '#app/lib/dates.ts';
import { bowerStraws } from '#app/ui/bower-art.ts';
import { displayFont, textFont } from './brand-fonts.ts';
import { AcademyMark, ink } from './brand-parts.tsx';
import { pdfOf } from './pdf-of.ts';
import { tag } from './structure.ts';
import { breaking, Words } from './words.tsx';

export type CertificateProps = {
  academy: string;
  /** The company that issues it and its ABN. */
  company: string;
  abn: string;
  courseTitle: string;
  /** All the work of the course, taught live and in one’s own time. */
  hours: number;
  /** That the academy is no registered training organisation. */
  recognition: string;
  /** The day on which it was true. */
  asOf: Day;
};

/** A4, landscape, marked SAMPLE across the page, with no learner's name (P19). Returns the bytes of a PDF. */
export function certificatePdf(props: CertificateProps): Promise<Buffer> {
  return pdfOf(props, <Certificate {...props} />);
}

const [width, height] = [841.89, 595.28];
const panel = 286;
const courseWidth = width - panel - 56 - 52;

const styles = StyleSheet.create({
  page: { backgroundColor: ink.paper, fontFamily: textFont, fontSize: 12, color: ink.text, flexDirection: 'row' },
  panel: { width: panel, height, backgroundColor: ink.satin, borderRightWidth: 6, borderRightColor: ink.straw },
  bower: { position: 'absolute', left: -10, top: 165 },
  mark: { position: 'absolute', left: 34, top: 38 },
  place: { position: 'absolute', left: 34, bottom: 36, color: ink.onSatinMute, fontSize: 10, lineHeight: 1.5 },
  text: { width: width - panel, height, paddingLeft: 56, paddingRight: 52, justifyContent: 'center' },
  title: { fontFamily: displayFont, fontWeight: 700, fontSize: 36, marginBottom: 34 },
  small: { color: ink.mute, marginBottom: 6 },
  name: { fontFamily: displayFont, fontWeight: 700, fontSize: 27, marginBottom: 7 },
  rule: { height: 1.5, width: 300, backgroundColor: ink.straw, marginBottom: 28 },
  course: { fontFamily: displayFont, fontWeight: 700, fontSize: 21, lineHeight: 1.15, marginBottom: 10 },
  own: { color: ink.mute, fontSize: 9.5, marginTop: 10 },
  foot: { flexDirection: 'row', marginTop: 42 },
  signed: { width: 170, marginRight: 34 },
  line: { height: 1, backgroundColor: ink.text, marginBottom: 6 },
  sample: {
    position: 'absolute',
    top: 222,
    left: 86,
    width: 700,
    textAlign: 'center',
    fontFamily: displayFont,
    fontWeight: 700,
    fontSize: 150,
    color: ink.sky,
    opacity: 0.3,
    transform: 'rotate(-24deg)',
  },
});

function Certificate({ academy, company, abn, courseTitle, hours, recognition, asOf }: CertificateProps) {
  return (
    <Document
      title={`Sample certificate: ${courseTitle}`}
      author={academy}
      language="en-AU"
      creationDate={new Date(`${asOf}T00:00:00Z`)}
    >
      <Page size="A4" orientation="landscape" style={styles.page}>
        <View style={styles.panel}>
          <View style={styles.bower}>
            <Bower />
          </View>
          <View style={styles.mark}>
            <AcademyMark name={academy} dark />
          </View>
          <View style={styles.place}>
            <Text>{company}</Text>
            <Text>ABN {abn}</Text>
            <Text>Brisbane, Queensland, Australia</Text>
          </View>
        </View>
        <View style={styles.text}>
          <Text style={styles.title} {...tag('H1')}>
            Certificate of completion
          </Text>
          <Text style={styles.small}>Awarded to</Text>
          <Text style={styles.name}>Name of the learner</Text>
          <View style={styles.rule} />
          <Text style={styles.small}>for completing the course</Text>
          <Text style={styles.course} hyphenationCallback={breaking(courseWidth, 21)}>
            <Words>{courseTitle}</Words>
          </Text>
          <Text>A course of {hours} hours. A certificate also gives the hours taught live.</Text>
          <Text style={styles.own}>
            This certificate is the academy’s own. It is not the certification of an exam body. {recognition}
          </Text>
          <View style={styles.foot}>
            {['Instructor', 'Date'].map((what) => (
              <View key={what} style={styles.signed}>
                <View style={styles.line} />
                <Text style={styles.small}>{what}</Text>
              </View>
            ))}
          </View>
        </View>
        <Text style={styles.sample}>SAMPLE</Text>
      </Page>
    </Document>
  );
}

/** Where lesser treasures lie on the floor before the bower, and their size. */
const treasures: readonly (readonly [x: number, y: number, size: number, colour: string])[] = [
  [168, 500, 0.8, '#4f7bff'],
  [244, 520, 0.6, '#7d6bff'],
  [402, 514, 0.7, '#8fb0ff'],
  [474, 498, 0.9, '#5a8bff'],
];

/** The bower of the home page with a blue gem in its avenue. */
function Bower() {
  return (
    <Svg viewBox="0 0 640 560" width={304} height={266}>
      {bowerStraws().map(({ d, colour, opacity, thickness }) => (
        <Path key={d} d={d} stroke={colour} strokeOpacity={opacity} strokeWidth={Number(thickness)} fill="none" />
      ))}
      <Path d={gem(320, 400, 4)} fill={ink.sky} />
      <Path d={facet(320, 400, 4)} fill={ink.blue} />
      {treasures.map(([x, y, size, colour]) => (
        <Path key={x} d={gem(x, y, size)} fill={colour} />
      ))}
    </Svg>
  );
}

const gem = (x: number, y: number, size: number) =>
  `M${x} ${y - 21 * size}L${x + 19 * size} ${y}L${x} ${y + 24 * size}L${x - 19 * size} ${y}Z`;
const facet = (x: number, y: number, size: number) =>
  `M${x} ${y - 21 * size}L${x + 19 * size} ${y}L${x} ${y + 24 * size}Z`;
