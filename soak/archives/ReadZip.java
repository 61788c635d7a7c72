import java.io.IOException;
import java.io.InputStream;
import java.util.Enumeration;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import java.util.zip.ZipInputStream;

/** Reads a ZIP by its directory, then as a stream. Prints each entry's Unix second and path, once for each way. */
class ReadZip {
  public static void main(String[] arguments) throws IOException {
    try (ZipFile zip = new ZipFile(arguments[0])) {
      for (Enumeration<? extends ZipEntry> entries = zip.entries(); entries.hasMoreElements(); ) {
        ZipEntry entry = entries.nextElement();
        try (InputStream bytes = zip.getInputStream(entry)) {
          check(entry, bytes);
        }
      }
    }
    try (ZipInputStream zip = new ZipInputStream(new java.io.FileInputStream(arguments[0]))) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) check(entry, zip);
    }
  }

  private static void check(ZipEntry entry, InputStream bytes) throws IOException {
    CRC32 crc = new CRC32();
    byte[] buffer = new byte[1 << 20];
    for (int length = bytes.read(buffer); length >= 0; length = bytes.read(buffer)) crc.update(buffer, 0, length);
    if (crc.getValue() != entry.getCrc()) throw new ZipException("wrong CRC-32: " + entry.getName());
    System.out.println(Math.floorDiv(entry.getLastModifiedTime().toMillis(), 1000) + " " + entry.getName());
  }
}
