/// A picture computed from its name: waves between three colours.
struct SandboxPicture: Sendable {
  let width: Int
  let height: Int
  private var dice: SeededRandom

  /// - Parameter path: the path after `/media/`. Avatars are small squares.
  init(path: String) {
    let isPhoto = path.hasPrefix("media/") || path.hasPrefix("large/") || path.hasPrefix("video_thumb/")
    (width, height) = isPhoto ? (240, 160) : (96, 96)
    // FNV-1a.
    let hash = path.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
    dice = SeededRandom(23, hash)
  }

  func png() -> [UInt8] {
    var dice = dice
    let palette = Self.palette(&dice)
    let (slant, wave, width) = (dice.roll(5) + 1, dice.roll(40) + 20, width)
    var pixels: [UInt8] = []
    pixels.reserveCapacity(width * height)
    for y in 0..<height {
      for x in 0..<width {
        let ramp = (x * 160 / width + y * 160 * slant / (height * 3)) & 511
        let bend = Self.swing(x * 2 + y, over: wave) + Self.swing(y * 3 - x + 600, over: wave * 2)
        pixels.append(UInt8(Self.swing(ramp + bend / 3, over: 255)))
      }
    }
    return PNGWriter.png(width: width, height: height, palette: palette, pixels: pixels)
  }

  /// Returns the value of a triangle wave from 0 to `top` and back.
  private static func swing(_ value: Int, over top: Int) -> Int {
    let place = value % (2 * top)
    return place <= top ? place : 2 * top - place
  }

  /// Returns a gradient from one colour through a second to a third.
  private static func palette(_ dice: inout SeededRandom) -> [(UInt8, UInt8, UInt8)] {
    let colours = (0..<3).map { _ in [dice.roll(200) + 40, dice.roll(200) + 40, dice.roll(200) + 40] }
    return (0..<256).map { step in
      let (from, to) = step < 128 ? (colours[0], colours[1]) : (colours[1], colours[2])
      let mixed = (0..<3).map { UInt8(from[$0] + (to[$0] - from[$0]) * (step % 128) / 127) }
      return (mixed[0], mixed[1], mixed[2])
    }
  }
}
