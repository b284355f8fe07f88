extension Author {
  /// All authors of posts.
  static let writers: [Author] = west + east
  /// The authors of texts truncated in a repost.
  static let essayists: [Author] = writers.filter { !$0.essays.isEmpty }

  /// Returns the author with a screen name, as in `@name`.
  static func named(_ screenName: some StringProtocol) -> Author? {
    everyone.first { $0.screenName == screenName }
  }
}

extension Author {
  /// Authors who write with Latin, Cyrillic, Hebrew and Arabic letters.
  private static let west: [Author] = [
    Author(
      id: 14_000_102, screenName: "kai_demo", name: "Kai Brandt", location: "By the lake",
      description: "Bicycles, ferries & small trains.", language: "en",
      things: [
        "the lake path", "the old tram depot", "the ferry pier", "platform 4", "the canal locks", "the north bridge",
        "the lighthouse",
      ],
      notes: [
        "Cycled {m} km before breakfast. Had {x} all to myself 🚲",
        "Coffee & a warm bun at {x}. Good morning, everyone ☕",
        "The 8:{m} left on time. I did not.", "A bench at {x} with a view > my whole flat.",
        "Is there a word for the sound of a happy bicycle? Asking from {x}.",
        "The summer timetable is out: {link} #trains",
        "Rain at {x}, {n} umbrellas, one of them inside out.", "@mira_demo the map you asked for: {link}",
      ],
      responses: ["Exactly this.", "Ha! I was there & saw nothing of it.", "Can one get there by bicycle?"],
      essays: [
        "A small report from {x}: three boats, one heron, two people arguing kindly about a map, and a dog who had clearly decided that everybody there was part of its own large and slightly disorganised family. #slowmorning",
        "How to spend a day at {x}: bring a book, read {n} pages, look up, notice that the light has changed, walk to the end and back, have soup, forget the book, go back for the book, stay for the sunset & be late for everything else.",
      ],
      pictures: [
        "A red bicycle leaning against a wooden pier", "Morning fog over a small harbour", "A yellow tram in the rain",
      ]),
    Author(
      id: 14_000_103, screenName: "hill_observatory", name: "Hill Observatory 🔭", location: "612 m",
      description: "What is up there tonight. Open to visitors on clear Fridays.", language: "en",
      things: ["Saturn", "the Moon", "Jupiter's moons", "the Andromeda galaxy", "a faint comet", "the Pleiades"],
      notes: [
        "Clear until 2 am: {x} will be worth staying up for ✨", "Clouds. We count biscuits instead: {n} left.",
        "Our notes on {x}, with drawings: {link} #astronomy",
        "{m} visitors tonight & nobody bumped into the telescope. A record!",
        "Tonight's magnitude limit is 5.{n}, and {x} looks sharp <3",
      ],
      responses: [
        "Confirmed from up here ✨", "We are writing this into the logbook.", "Come on Friday & tell us more.",
      ],
      essays: [
        "A visitor of six asked tonight why {x} does not fall down. We explained orbits with an orange, a lamp & {n} marbles; then she explained to us that it is probably just busy. We have put her version into the logbook, next to ours. #astronomy"
      ],
      pictures: ["Star trails above a white dome", "A pencil drawing of Saturn", "The Moon between two pine trees"]),
    Author(
      id: 14_000_104, screenName: "harbour_line7", name: "Harbour Line 7", location: "Every 12 minutes",
      description: "Service news of one bus line. Written by the driver.", language: "en",
      things: ["Fishmarket", "Old Customs House", "Sailmaker Street", "University", "Botanical Garden", "Terminal B"],
      notes: [
        "Line 7: {n} min late at {x} (geese).", "Line 7 runs on time again. Thank you for your patience & the cake.",
        "Stop {x} is moved by {m} m this week. Follow the chalk arrows.",
        "Found on board at {x}: one left glove, blue. It is on the front seat, looking out of the window.",
        "Works at {x} from Monday. Details: {link}",
      ],
      responses: ["The bus agrees.", "Line 7 stops right in front of it.", "Noted. Will be announced at every stop."],
      essays: [
        "To the passenger who ran from {x} this morning with one shoe in hand: we waited, we saw you, the whole bus cheered, and the shoe's sister is being kept warm at the depot. Ask for the night desk, any time after {n}. #line7"
      ],
      pictures: ["A bus beside fishing boats", "Chalk arrows on a pavement leading to a bus stop"]),
    Author(
      id: 14_000_105, screenName: "small_compiler", name: "Small Compiler Notes", location: "/usr/src",
      description: "One fact about programs a day. Sometimes two.", language: "en",
      things: ["parsers", "hash tables", "time zones", "floating point", "byte order", "file names", "caches"],
      notes: [
        "if (a < b && b < c) is {n} tokens more than you think. #programming",
        "Everything I know about {x} fits on one page: {link}",
        "Today's bug: {m} hours to find, one character to fix. It was <.",
        "A test that cannot fail tells you nothing & costs you {m} ms.",
        "Reminder: ids above 2^53 are not numbers in JavaScript.",
        "Spent the evening with {x}. It went to extra time.",
      ],
      responses: ["Works on my machine.", "Is there a test for that?", "if (true) return \"yes\"; // && thank you"],
      essays: [
        "Three rules for {x}: (1) write down what is true before & after each step, (2) if you cannot write it down you do not know it, (3) if you know it, a test can know it too, and the test will still know it in {n} years when you do not. #programming"
      ],
      pictures: ["A sheet of paper with boxes & arrows", "A cat asleep on a keyboard"]),
    Author(
      id: 14_000_106, screenName: "weather_mole", name: "The Weather Mole 🌦️", location: "Underground",
      description: "Forecasts from below.", language: "en",
      things: ["drizzle", "sunshine", "a stiff breeze", "fog", "thunder", "a rainbow"],
      notes: [
        "{m} % chance of {x}. I am staying in. 🌧️", "Soil temperature {n} °C. Worms report {x}.",
        "Looked out: {x}. Went back in. 👩‍🌾", "Tomorrow: {x}, then {x}, then tea ☕",
        "Pressure rising; so is the bread of @ana_forno.",
        "🌤️🌤️🌧️🌤️🌈 (in this order)",
      ],
      responses: ["Cannot see that from down here 😅", "Sounds like {x} to me.", "Noted in the tunnel."],
      pictures: ["A molehill in front of a double rainbow"]),
    Author(
      id: 14_000_107, screenName: "ana_forno", name: "Ana do Forno 🍞", location: "Rua da Padaria",
      description: "Pão, todos os dias às seis.", language: "pt",
      things: ["pão de centeio", "pão de milho", "pão de azeitona", "folar", "pão com nozes"],
      notes: [
        "Bom dia! {m} pães no forno e a janela aberta. #pão", "Hoje há {x}. Amanhã também, se não acabar 😀",
        "Massa de {x}: {n} horas de descanso. Eu, nem por isso.", "Receita de hoje, {x}, com fotografias: {link}",
      ],
      responses: ["Que bonito! 😀", "Isto pede um pão quente.", "Guardo-te uma fatia de {x}."],
      essays: [
        "Perguntam-me muitas vezes qual é o segredo de um bom {x}. Não há segredo: farinha, água, sal, {n} horas de paciência e alguém na cozinha que canta baixinho. Se não houver ninguém que cante, liga-se o rádio, mas não é a mesma coisa. #pão"
      ],
      pictures: ["Três pães redondos numa mesa de madeira", "Mãos com farinha"]),
    Author(
      id: 14_000_108, screenName: "oleg_etude", name: "Олег Этюдов", location: "Клетка e4",
      description: "Шахматные этюды и чай.", language: "ru",
      things: ["слоном", "ладьёй", "конём", "пешкой", "ферзём"],
      notes: [
        "Белые начинают и выигрывают {x}. Как? ♟️ #шахматы", "Весь вечер думал над одним ходом. Пошёл {x}. Зря.",
        "Новый этюд, решение внутри: {link}", "Чай остыл, позиция нет.",
      ],
      responses: ["Красивый ход!", "Надо подумать. Минут сорок.", "Согласен, но сначала чай."],
      essays: [
        "Самое трудное в шахматах — не увидеть хороший ход, а увидев его, посидеть ещё минуту на руках и поискать лучший. Вчера я так и сделал: сидел, искал, нашёл, обрадовался и сходил {x} — не туда. Но минута была прекрасная. #шахматы"
      ],
      pictures: ["Шахматная доска у окна"]),
    Author(
      id: 14_000_109, screenName: "noor_reads", name: "نور تقرأ", location: "مكتبة الحي",
      description: "كتب قديمة وقهوة جديدة.", language: "ar",
      things: ["رواية قصيرة", "ديوان شعر", "كتاب عن البحر", "كتاب عن النجوم"],
      notes: [
        "قرأت اليوم {n} صفحات فقط، لكنها كانت كافية. #كتب", "صباح الخير! على الطاولة {x} وفنجان قهوة ☕",
        "وجدت في المكتبة {x} وعليه إهداء بخط جميل.", "ملاحظاتي عن آخر كتاب: {link}",
      ],
      responses: ["هذا جميل حقاً.", "ذكّرني بما قرأته أمس.", "سأكتب هذا في دفتري 📖"],
      essays: [
        "في آخر الشارع مكتبة صغيرة لا يعرفها إلا من ضلّ الطريق مثلي. سألت صاحبها عن {x} فابتسم وقال: هذا الكتاب يختار قارئه. جلست في الزاوية ساعة كاملة، ونسيت أنني كنت في طريقي إلى مكان آخر تماماً. #كتب"
      ],
      pictures: ["كتاب مفتوح بجانب النافذة"]),
    Author(
      id: 14_000_110, screenName: "tamar_sky", name: "תמר בשמיים", location: "הגג",
      description: "מצלמת עננים.", language: "he",
      things: ["ענן בצורת פיל", "קשת בענן", "שקיעה כתומה", "להקת ציפורים"],
      notes: [
        "עכשיו מעל הגג: {x} ☁️", "מי עוד רואה {x}? #שמיים", "אלבום העננים של השבוע: {link}",
        "הלילה ירח מלא. יוצאים החוצה? 🌕",
      ],
      responses: ["יפה מאוד!", "רואים את זה גם מהגג ☁️", "מחכה לתמונה."],
      pictures: ["ענן גדול מעל בתים לבנים"]),
  ]
}

extension Author {
  /// Authors who write in Chinese, Japanese and Korean.
  private static let east: [Author] = [
    Author(
      id: 14_000_201, screenName: "lin_tea", name: "林小茶", location: "茶馆二楼", description: "一壶茶，一本书。", language: "zh",
      things: ["龙井", "普洱", "铁观音", "茉莉花茶", "白牡丹"],
      notes: [
        "今天泡的是{x}，水温刚刚好。🍵", "下雨天，{x}，旧唱片。什么都不缺。", "第{n}泡了，{x}还有香气。#喝茶", "关于{x}的笔记写好了：{link}",
        "早上好！茶馆里的猫又占了我的座位。",
      ],
      responses: ["说得真好。", "来喝杯{x}再聊吧。🍵", "我也这么想。"],
      essays: [
        "很多人问我{x}到底要怎么泡才好喝。其实没有什么秘诀：水要干净，壶要温过，时间不要太长，人不要太急。昨天来了一位老先生，坐在窗边一句话也没说，喝了{n}杯，临走的时候把椅子轻轻推回去，说了一声谢谢，外面的雨正好停了。我想，这大概就是最好的泡法吧：有人愿意慢慢地喝，有人愿意慢慢地等，茶自己知道该在什么时候变得好喝。#喝茶"
      ],
      pictures: ["窗边的茶壶和两只杯子", "雨中的茶园"]),
    Author(
      id: 14_000_202, screenName: "haru_neko", name: "はる 🐈", location: "縁側", description: "猫と電車と、ときどきコーヒー。",
      language: "ja", things: ["縁側", "本棚の上", "洗濯かごの中", "キーボードの上", "こたつの中"],
      notes: [
        "うちの猫、いま{x}で寝てます😪", "おはようございます。今朝は{n}時に起こされました（猫に）。", "{x}が好きすぎて動かない。#猫",
        "電車の窓から富士山が見えた！🗻 いい一日になりそう。", "猫の日記を更新しました：{link}", "雨の日は{x}がいちばん。コーヒーをもう一杯☕",
      ],
      responses: ["わかります！", "うちの猫もうなずいています😸", "いいですね☕"],
      essays: [
        "今日の発見をひとつ。猫は{x}にいるとき、名前を呼ぶと耳だけこちらを向きます。二回呼ぶとしっぽが動きます。三回呼ぶとため息をつきます。四回呼ぶと立ち上がって、のびをして、こちらへ歩いてくるのかと思ったら、そのまま目の前を通りすぎて台所へ行きました。{n}分後に戻ってきて、何ごともなかったように同じ場所で丸くなったので、きっと大事な用事があったのだと思います。#猫"
      ],
      pictures: ["縁側で丸くなる三毛猫", "窓から見た富士山"]),
    Author(
      id: 14_000_203, screenName: "minseo_run", name: "민서", location: "한강", description: "달리고, 걷고, 가끔 쉽니다.",
      language: "ko",
      things: ["한강", "남산길", "호수 공원", "바닷가"],
      notes: [
        "오늘은 {x}에서 {m}분 달렸어요 🏃‍♀️ #달리기", "좋은 아침! {x}에 안개가 예쁘게 꼈어요.", "다리가 무겁지만 기분은 최고 👍🏽",
        "이번 달 기록을 정리했어요: {link}", "{x} 옆 새 카페, 커피가 정말 맛있네요 ☕",
      ],
      responses: ["정말 멋지네요!", "저도 가 보고 싶어요 😊", "좋은 소식이에요 👍🏽"],
      pictures: ["해 뜰 무렵의 강변 길"]),
  ]
}
