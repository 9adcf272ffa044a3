import { Document, Page, Path, renderToBuffer, StyleSheet, Svg, Text, View } from '@react-pdf/renderer';

export type CertificateProps = {
  academy: string;
  courseTitle: string;
  hours: number;
};

/** A4, landscape, marked SAMPLE across the page, with no learner's name (P19). Returns the bytes of a PDF. */
export function certificatePdf(props: CertificateProps): Promise<Buffer> {
  return renderToBuffer(<Certificate {...props} />);
}

const styles = StyleSheet.create({
  page: { backgroundColor: '#fbf8f0', padding: 34, fontFamily: 'Helvetica', color: '#171334' },
  frame: { flexGrow: 1, border: '2pt solid #e8c872', padding: 44, alignItems: 'center', justifyContent: 'center' },
  academy: { fontSize: 15, letterSpacing: 2, marginTop: 14 },
  small: { fontSize: 12, color: '#5a5675', marginTop: 26 },
  name: { fontSize: 27, fontFamily: 'Helvetica-Bold', marginTop: 8 },
  course: { fontSize: 23, fontFamily: 'Helvetica-Bold', marginTop: 8, textAlign: 'center' },
  mark: {
    position: 'absolute',
    top: 205,
    left: 130,
    fontSize: 150,
    fontFamily: 'Helvetica-Bold',
    color: '#2e4be6',
    opacity: 0.13,
    transform: 'rotate(-24deg)',
  },
});

function Certificate({ academy, courseTitle, hours }: CertificateProps) {
  return (
    <Document title={`Sample certificate: ${courseTitle}`} author={academy} language="en-AU">
      <Page size="A4" orientation="landscape" style={styles.page}>
        <View style={styles.frame}>
          <Svg viewBox="0 0 48 48" width={54} height={54}>
            <Path
              d="M6 41C3 23 12 9 24 6M12 42C9 27 16 14 25 9M42 41C45 23 36 9 24 6M36 42C39 27 32 14 23 9"
              stroke="#b98a35"
              strokeWidth={3.2}
              fill="none"
            />
            <Path d="m24 21 9.5 10-9.5 12-9.5-12Z" fill="#2e4be6" />
          </Svg>
          <Text style={styles.academy}>{academy.toUpperCase()}</Text>
          <Text style={styles.small}>Certificate of completion, awarded to</Text>
          <Text style={styles.name}>Name of the learner</Text>
          <Text style={styles.small}>for completing the course</Text>
          <Text style={styles.course}>{courseTitle}</Text>
          <Text style={styles.small}>{hours} hours of training. Brisbane, Queensland, Australia</Text>
        </View>
        <Text style={styles.mark}>SAMPLE</Text>
      </Page>
    </Document>
  );
}
