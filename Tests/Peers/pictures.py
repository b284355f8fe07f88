"""Creates pictures with metadata with Pillow and checks the stripped pictures. With --exiftool, also uses exiftool.

    pictures.py make FOLDER             creates files, and prints "strip NAME" or "clean NAME" for each file
    pictures.py check FOLDER STRIPPED   compares the files in STRIPPED with those of the same names in FOLDER

"strip" is a picture whose metadata is removed, and "clean" is a file whose metadata is overwritten.
"""

import argparse
import json
import pathlib
import struct
import subprocess
import sys

from PIL import Image, ImageCms, ImageSequence, PngImagePlugin

# This text is part of every text and position that must be removed.
SECRET = b"SECRET"
XMP = b'<x:xmpmeta xmlns:x="adobe:ns:meta/"><secret>SECRET</secret></x:xmpmeta>'
PROFILE = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
# Groups of exiftool that describe the file and the picture, not its origin.
GROUPS = {
    "SourceFile", "System", "File", "ExifTool", "JFIF", "Adobe", "PNG", "PNG-pHYs", "RIFF", "GIF", "Composite", "QuickTime", "Meta",
}


def picture(mode="RGB", size=(160, 120), shift=0):
    image = Image.new("RGB", size)
    image.putdata([((x * 3 + shift) % 256, (y * 2) % 256, (x ^ y) % 256) for y in range(size[1]) for x in range(size[0])])
    return image.convert(mode)


def exif(orientation, location=True):
    data = Image.Exif()
    data[0x010F] = "SECRET maker"
    data[0x0112] = orientation
    data[0x9286] = b"ASCII\0\0\0SECRET comment"
    if location:
        data.get_ifd(0x8825).update({1: "N", 2: (52.0, 30.0, 0.0), 3: "E", 4: (13.0, 24.0, 0.0), 27: b"ASCII\0\0\0SECRET"})
    return data.tobytes()


def texts():
    info = PngImagePlugin.PngInfo()
    info.add_text("Author", "SECRET")
    info.add_text("Comment", "SECRET" * 100, zip=True)
    info.add_itxt("Title", "SECRET", "en", "SECRET")
    info.add(b"tIME", struct.pack(">HBBBBB", 2026, 1, 2, 3, 4, 5))
    info.add(b"prVt", b"SECRET")
    return info


def strippable(folder):
    everything = {"icc_profile": PROFILE, "xmp": XMP}
    for orientation in range(1, 9):
        picture().save(folder / f"turned-{orientation}.jpg", exif=exif(orientation), comment=b"SECRET", **everything)
    picture().save(folder / "progressive.jpg", progressive=True, exif=exif(6), restart_marker_rows=1)
    picture("L").save(folder / "gray.jpg", exif=exif(3))
    picture("CMYK").save(folder / "cmyk.jpg", exif=exif(1), **everything)
    picture().save(folder / "plain.jpg")
    # The file has two pictures. The second picture follows the end of the first.
    picture().save(folder / "two.jpg", format="MPO", save_all=True, append_images=[picture(shift=50)], exif=exif(8))
    with open(folder / "plain.jpg", "rb") as plain:
        (folder / "trailing.jpg").write_bytes(plain.read() + SECRET * 1000)
    picture().save(folder / "photo.png", exif=exif(3), pnginfo=texts(), icc_profile=PROFILE, dpi=(300, 300))
    picture("RGBA").save(folder / "alpha.png", exif=exif(1), pnginfo=texts())
    picture("P").save(folder / "palette.png", transparency=3, pnginfo=texts())
    picture("L").save(folder / "gray.png", exif=exif(8), pnginfo=texts())
    frames = [picture(shift=20 * n) for n in range(4)]
    frames[0].save(folder / "animated.png", save_all=True, append_images=frames[1:], duration=70, loop=3, pnginfo=texts())
    picture().save(folder / "lossy.webp", exif=exif(6), **everything)
    picture("RGBA").save(folder / "lossless.webp", lossless=True, exif=exif(1), **everything)
    picture().save(folder / "simple.webp")
    frames[0].save(folder / "animated.webp", save_all=True, append_images=frames[1:], duration=70, loop=3, exif=exif(8), **everything)
    frames[0].save(folder / "animated.gif", save_all=True, append_images=frames[1:], duration=70, loop=3, comment=SECRET)
    picture().save(folder / "still.gif", comment=SECRET)


def box(name, *parts):
    content = b"".join(parts)
    return struct.pack(">I4s", 8 + len(content), name) + content


def film(brand):
    matrix = struct.pack(">9I", 0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)
    header = box(b"mvhd", bytes(12), struct.pack(">IIIH10x", 1000, 1000, 0x10000, 0x100), matrix, bytes(24), struct.pack(">I", 2))
    return box(b"ftyp", brand, bytes(4), brand) + box(b"moov", header) + box(b"mdat", bytes(100))


def exiftool(*arguments):
    return subprocess.run(["exiftool", *map(str, arguments)], capture_output=True, text=True, check=True).stdout


def films(folder):
    """Videos. exiftool adds a location to them in each place that it supports."""
    for ending, brand in ("mov", b"qt  "), ("mp4", b"isom"):
        (folder / f"film.{ending}").write_bytes(film(brand))
        print(f"clean film.{ending}")
        for group, tag in ("Keys", "GPSCoordinates"), ("ItemList", "GPSCoordinates"), ("UserData", "GPSCoordinates"), ("XMP-exif", "GPSLatitude"):
            name = f"{group}.{ending}"
            exiftool(f"-{group}:{tag}=" + ("52.5" if group == "XMP-exif" else "52.5, 13.4, 30"), "-o", folder / name, folder / f"film.{ending}")
            print(f"clean {name}")
    exiftool("-XMP-exif:GPSLatitude=52.5", "-o", folder / "xmp.avif", folder / "plain.avif")
    exiftool("-GPSLatitude=52.5", "-GPSLatitudeRef=N", "-o", folder / "exif.avif", folder / "plain.avif")
    print("clean xmp.avif\nclean exif.avif")


def make(folder, with_exiftool):
    strippable(folder)
    names = sorted(path.name for path in folder.iterdir())
    picture().save(folder / "plain.avif")
    picture().save(folder / "turned.avif", exif=exif(6, location=False))
    picture().save(folder / "located.avif", exif=exif(6))
    print("clean plain.avif\nclean turned.avif\nclean located.avif")
    if with_exiftool:
        # exiftool cannot add Exif data to these files.
        writable = [folder / name for name in names if not name.endswith(".gif") and name != "simple.webp"]
        exiftool(
            "-overwrite_original", "-m", "-GPSLatitude=52.5", "-GPSLatitudeRef=N", "-XMP-exif:GPSLongitude=13.4E", "-IPTC:City=SECRET",
            "-XMP-dc:Title=SECRET", "-Comment=SECRET", *writable)
        films(folder)
    for name in names:
        print(f"strip {name}")


def frames(image):
    for frame in ImageSequence.Iterator(image):
        yield frame.mode, frame.size, frame.tobytes(), frame.info.get("duration")


def faults(before, after, name):
    raw = after.read_bytes()
    if SECRET in raw:
        yield "text is left"
    if name.endswith((".mov", ".mp4")):
        return
    with Image.open(before) as one, Image.open(after) as other:
        first, second = frames(one), frames(other)
        # The bytes after the first picture of a JPEG file are removed.
        if name == "two.jpg":
            first = [next(first)]
        if list(first) != list(second):
            yield "the pixels differ"
        for key in "icc_profile", "loop", "transparency", "gamma", "adobe_transform", "background":
            if one.info.get(key) != other.info.get(key):
                yield f"{key} differs"
        # Pillow reports the rotation of AVIF pictures as Exif data, although it is a property of the picture.
        turned = one.getexif().get(0x0112, 1)
        if dict(other.getexif()) != ({} if turned == 1 else {0x0112: turned}):
            yield f"Exif: {dict(other.getexif())}, expected orientation {turned}"
        if other.getexif().get_ifd(0x8825):
            yield "a location is left"


def exif_faults(folder):
    """The metadata that exiftool finds in the pictures, except the orientation and the colour profile."""
    for tags in json.loads(exiftool("-json", "-a", "-G1", "-u", "-ee", folder)):
        for tag, value in tags.items():
            group = tag.split(":")[0]
            is_technical = group in GROUPS or group.startswith("ICC") or tag == "IFD0:Orientation"
            if not is_technical or "GPS" in tag or tag in ("ExifTool:Warning", "File:Comment"):
                yield f"{tags['SourceFile']}: exiftool finds {tag} = {value}"


def check(folder, stripped, with_exiftool):
    after = sorted(stripped.iterdir())
    found = [f"{path.name}: {fault}" for path in after for fault in faults(folder / path.name, path, path.name)]
    if with_exiftool:
        found += exif_faults(stripped)
    print("\n".join(found), end="\n" if found else "")
    return 0 if after else 1


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--exiftool", action="store_true")
    parser.add_argument("action", choices=["make", "check"])
    parser.add_argument("folders", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    if arguments.action == "make":
        make(arguments.folders[0], arguments.exiftool)
        return 0
    return check(*arguments.folders, arguments.exiftool)


sys.exit(main())
