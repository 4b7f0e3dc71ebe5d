//! Rigs of the usual naming schemes. A line is a joint, below the last line with a smaller indent, and after `=` the bone
//! that it is; `-` is a helper at the end of a bone, `~` one within a bone, `+` one at the floor, `top` the top of the
//! head, `?` a finger. `<a|b>` makes the line and those below it twice, for left and right.

/// Rigs by name. The first ten are the schemes of the table, the others are variants.
pub const SCHEMES: [(&str, &str); 15] = [
    ("Mixamo", MIXAMO),
    ("Unreal", UNREAL),
    ("Unity", UNITY),
    ("Rigify", RIGIFY),
    ("Biped", BIPED),
    ("VRoid", VROID),
    ("Character Creator", CHARACTER_CREATOR),
    ("Daz", DAZ),
    ("SMPL", SMPL),
    ("CMU", CMU),
    ("Rigify DEF", RIGIFY_DEF),
    ("HumanIK", HUMAN_IK),
    ("MakeHuman", MAKE_HUMAN),
    ("Advanced Skeleton", ADVANCED_SKELETON),
    ("numbers", NUMBERS),
];

const MIXAMO: &str = "
mixamorig:Hips = hips
 mixamorig:Spine = spine
  mixamorig:Spine1 = spine
   mixamorig:Spine2 = spine
    mixamorig:Neck = neck
     mixamorig:Head = head
      mixamorig:HeadTop_End = top
      mixamorig:<LeftEye|RightEye> = eye
    mixamorig:<Left|Right>Shoulder = shoulder
     mixamorig:<Left|Right>Arm = upper_arm
      mixamorig:<Left|Right>ForeArm = lower_arm
       mixamorig:<Left|Right>Hand = hand
        mixamorig:<Left|Right>HandThumb1 = thumb
         mixamorig:<Left|Right>HandThumb2 = thumb
          mixamorig:<Left|Right>HandThumb3 = thumb
           mixamorig:<Left|Right>HandThumb4 = -
        mixamorig:<Left|Right>HandIndex1 = index
         mixamorig:<Left|Right>HandIndex2 = index
          mixamorig:<Left|Right>HandIndex3 = index
           mixamorig:<Left|Right>HandIndex4 = -
        mixamorig:<Left|Right>HandPinky1 = little
         mixamorig:<Left|Right>HandPinky2 = little
          mixamorig:<Left|Right>HandPinky3 = little
           mixamorig:<Left|Right>HandPinky4 = -
 mixamorig:<Left|Right>UpLeg = upper_leg
  mixamorig:<Left|Right>Leg = lower_leg
   mixamorig:<Left|Right>Foot = foot
    mixamorig:<Left|Right>ToeBase = toes
     mixamorig:<Left|Right>Toe_End = -
";

const UNREAL: &str = "
root = +
 pelvis = hips
  spine_01 = spine
   spine_02 = spine
    spine_03 = spine
     spine_04 = spine
      spine_05 = spine
       neck_01 = neck
        neck_02 = neck
         head = head
       clavicle_<l|r> = shoulder
        upperarm_<l|r> = upper_arm
         upperarm_twist_01_<l|r> = ~
         lowerarm_<l|r> = lower_arm
          lowerarm_twist_01_<l|r> = ~
          hand_<l|r> = hand
           thumb_01_<l|r> = thumb
            thumb_02_<l|r> = thumb
             thumb_03_<l|r> = thumb
           index_metacarpal_<l|r> = ~
            index_01_<l|r> = index
             index_02_<l|r> = index
              index_03_<l|r> = index
           pinky_metacarpal_<l|r> = ~
            pinky_01_<l|r> = little
             pinky_02_<l|r> = little
              pinky_03_<l|r> = little
           weapon_<l|r> = -
  thigh_<l|r> = upper_leg
   thigh_twist_01_<l|r> = ~
   calf_<l|r> = lower_leg
    calf_twist_01_<l|r> = ~
    foot_<l|r> = foot
     ball_<l|r> = toes
 ik_foot_root = +
  ik_foot_<l|r> = +
 ik_hand_root = +
  ik_hand_gun = +
   ik_hand_<l|r> = +
";

const UNITY: &str = "
Root = +
 Hips = hips
  Spine = spine
   Chest = spine
    UpperChest = spine
     Neck = neck
      Head = head
       Jaw = jaw
       <LeftEye|RightEye> = eye
     <Left|Right>Shoulder = shoulder
      <Left|Right>UpperArm = upper_arm
       <Left|Right>LowerArm = lower_arm
        <Left|Right>Hand = hand
         <Left|Right>ThumbProximal = thumb
          <Left|Right>ThumbIntermediate = thumb
           <Left|Right>ThumbDistal = thumb
         <Left|Right>IndexProximal = index
          <Left|Right>IndexIntermediate = index
           <Left|Right>IndexDistal = index
         <Left|Right>LittleProximal = little
          <Left|Right>LittleIntermediate = little
           <Left|Right>LittleDistal = little
  <Left|Right>UpperLeg = upper_leg
   <Left|Right>LowerLeg = lower_leg
    <Left|Right>Foot = foot
     <Left|Right>Toes = toes
";

const RIGIFY: &str = "
spine = hips
 spine.001 = spine
  spine.002 = spine
   spine.003 = spine
    spine.004 = neck
     spine.005 = neck
      spine.006 = head
       face = ~
        nose = -
        jaw = jaw
        eye.<L|R> = eye
        ear.<L|R> = -
    shoulder.<L|R> = shoulder
     upper_arm.<L|R> = upper_arm
      forearm.<L|R> = lower_arm
       hand.<L|R> = hand
        palm.01.<L|R> = ~
         f_index.01.<L|R> = index
          f_index.02.<L|R> = index
           f_index.03.<L|R> = index
         thumb.01.<L|R> = thumb
          thumb.02.<L|R> = thumb
           thumb.03.<L|R> = thumb
        palm.04.<L|R> = ~
         f_pinky.01.<L|R> = little
          f_pinky.02.<L|R> = little
           f_pinky.03.<L|R> = little
    breast.<L|R> = -
 pelvis.<L|R> = -
 thigh.<L|R> = upper_leg
  shin.<L|R> = lower_leg
   foot.<L|R> = foot
    toe.<L|R> = toes
    heel.02.<L|R> = ~
";

const BIPED: &str = "
Bip01 = ~
 Bip01 Footsteps = +
 Bip01 Pelvis = hips
  Bip01 Spine = spine
   Bip01 Spine1 = spine
    Bip01 Neck = neck
     Bip01 Head = head
      Bip01 HeadNub = top
     Bip01 <L|R> Clavicle = shoulder
      Bip01 <L|R> UpperArm = upper_arm
       Bip01 <L|R> Forearm = lower_arm
        Bip01 <L|R> ForeTwist = ~
        Bip01 <L|R> Hand = hand
         Bip01 <L|R> Finger0 = thumb
          Bip01 <L|R> Finger01 = thumb
           Bip01 <L|R> Finger02 = thumb
            Bip01 <L|R> Finger0Nub = -
         Bip01 <L|R> Finger1 = index
          Bip01 <L|R> Finger11 = index
           Bip01 <L|R> Finger12 = index
            Bip01 <L|R> Finger1Nub = -
         Bip01 <L|R> Finger4 = little
          Bip01 <L|R> Finger41 = little
           Bip01 <L|R> Finger42 = little
  Bip01 <L|R> Thigh = upper_leg
   Bip01 <L|R> Calf = lower_leg
    Bip01 <L|R> Foot = foot
     Bip01 <L|R> Toe0 = toes
      Bip01 <L|R> Toe0Nub = -
";

const VROID: &str = "
Root = +
 J_Bip_C_Hips = hips
  J_Bip_C_Spine = spine
   J_Bip_C_Chest = spine
    J_Bip_C_UpperChest = spine
     J_Bip_C_Neck = neck
      J_Bip_C_Head = head
       J_Adj_<L|R>_FaceEye = eye
       J_Sec_Hair1_01 = -
        J_Sec_Hair2_01 = -
       J_Sec_Hair1_02 = -
        J_Sec_Hair2_02 = -
     J_Sec_<L|R>_Bust1 = -
     J_Bip_<L|R>_Shoulder = shoulder
      J_Bip_<L|R>_UpperArm = upper_arm
       J_Bip_<L|R>_LowerArm = lower_arm
        J_Bip_<L|R>_Hand = hand
         J_Bip_<L|R>_Thumb1 = thumb
          J_Bip_<L|R>_Thumb2 = thumb
           J_Bip_<L|R>_Thumb3 = thumb
         J_Bip_<L|R>_Index1 = index
          J_Bip_<L|R>_Index2 = index
           J_Bip_<L|R>_Index3 = index
         J_Bip_<L|R>_Little1 = little
          J_Bip_<L|R>_Little2 = little
           J_Bip_<L|R>_Little3 = little
  J_Bip_<L|R>_UpperLeg = upper_leg
   J_Sec_<L|R>_SkirtFront1_01 = ~
   J_Bip_<L|R>_LowerLeg = lower_leg
    J_Bip_<L|R>_Foot = foot
     J_Bip_<L|R>_ToeBase = toes
";

const CHARACTER_CREATOR: &str = "
RL_BoneRoot = +
 CC_Base_BoneRoot = +
  CC_Base_Hip = hips
   CC_Base_Pelvis = ~
    CC_Base_<L|R>_Thigh = upper_leg
     CC_Base_<L|R>_ThighTwist01 = ~
      CC_Base_<L|R>_ThighTwist02 = ~
     CC_Base_<L|R>_Calf = lower_leg
      CC_Base_<L|R>_CalfTwist01 = ~
      CC_Base_<L|R>_KneeShareBone = ~
      CC_Base_<L|R>_Foot = foot
       CC_Base_<L|R>_ToeBaseShareBone = ~
       CC_Base_<L|R>_ToeBase = toes
        CC_Base_<L|R>_BigToe1 = -
   CC_Base_Waist = spine
    CC_Base_Spine01 = spine
     CC_Base_Spine02 = spine
      CC_Base_NeckTwist01 = neck
       CC_Base_NeckTwist02 = neck
        CC_Base_Head = head
         CC_Base_JawRoot = ~
         CC_Base_<L|R>_Eye = eye
      CC_Base_<L|R>_Clavicle = shoulder
       CC_Base_<L|R>_Upperarm = upper_arm
        CC_Base_<L|R>_UpperarmTwist01 = ~
        CC_Base_<L|R>_Forearm = lower_arm
         CC_Base_<L|R>_ElbowShareBone = ~
         CC_Base_<L|R>_ForearmTwist01 = ~
         CC_Base_<L|R>_Hand = hand
          CC_Base_<L|R>_Thumb1 = thumb
           CC_Base_<L|R>_Thumb2 = thumb
            CC_Base_<L|R>_Thumb3 = thumb
          CC_Base_<L|R>_Index1 = index
           CC_Base_<L|R>_Index2 = index
            CC_Base_<L|R>_Index3 = index
          CC_Base_<L|R>_Pinky1 = little
           CC_Base_<L|R>_Pinky2 = little
            CC_Base_<L|R>_Pinky3 = little
      CC_Base_<L|R>_RibsTwist = ~
       CC_Base_<L|R>_Breast = -
";

const DAZ: &str = "
Genesis8Female = +
 hip = hips
  pelvis = ~
   <l|r>ThighBend = upper_leg
    <l|r>ThighTwist = ~
     <l|r>Shin = lower_leg
      <l|r>Foot = foot
       <l|r>Metatarsals = ~
        <l|r>Toe = toes
         <l|r>BigToe = -
         <l|r>SmallToe1 = -
       <l|r>Heel = ~
  abdomenLower = spine
   abdomenUpper = spine
    chestLower = spine
     chestUpper = spine
      <l|r>Collar = shoulder
       <l|r>ShldrBend = upper_arm
        <l|r>ShldrTwist = ~
         <l|r>ForearmBend = lower_arm
          <l|r>ForearmTwist = ~
           <l|r>Hand = hand
            <l|r>Thumb1 = thumb
             <l|r>Thumb2 = thumb
              <l|r>Thumb3 = thumb
            <l|r>Carpal1 = ~
             <l|r>Index1 = index
              <l|r>Index2 = index
               <l|r>Index3 = index
            <l|r>Carpal4 = ~
             <l|r>Pinky1 = little
              <l|r>Pinky2 = little
               <l|r>Pinky3 = little
      neckLower = neck
       neckUpper = neck
        head = head
         upperFaceRig = ~
         <l|r>Eye = eye
         lowerJaw = jaw
     <l|r>Pectoral = -
";

const SMPL: &str = "
f_avg_root = +
 f_avg_Pelvis = hips
  f_avg_<L|R>_Hip = upper_leg
   f_avg_<L|R>_Knee = lower_leg
    f_avg_<L|R>_Ankle = foot
     f_avg_<L|R>_Foot = toes
  f_avg_Spine1 = spine
   f_avg_Spine2 = spine
    f_avg_Spine3 = spine
     f_avg_Neck = neck
      f_avg_Head = head
     f_avg_<L|R>_Collar = shoulder
      f_avg_<L|R>_Shoulder = upper_arm
       f_avg_<L|R>_Elbow = lower_arm
        f_avg_<L|R>_Wrist = hand
         f_avg_<L|R>_Hand = -
";

const CMU: &str = "
root = hips
 <l|r>hipjoint = ~
  <l|r>femur = upper_leg
   <l|r>tibia = lower_leg
    <l|r>foot = foot
     <l|r>toes = toes
 lowerback = spine
  upperback = spine
   thorax = spine
    lowerneck = neck
     upperneck = neck
      head = head
    <l|r>clavicle = shoulder
     <l|r>humerus = upper_arm
      <l|r>radius = lower_arm
       <l|r>wrist = hand
        <l|r>hand = -
         <l|r>fingers = -
        <l|r>thumb = thumb
";

const RIGIFY_DEF: &str = "
rig = +
 DEF-spine = hips
  DEF-spine.001 = spine
   DEF-spine.002 = spine
    DEF-spine.003 = spine
     DEF-spine.004 = neck
      DEF-spine.005 = neck
       DEF-spine.006 = head
     DEF-shoulder.<L|R> = shoulder
      DEF-upper_arm.<L|R> = upper_arm
       DEF-upper_arm.<L|R>.001 = ~
        DEF-forearm.<L|R> = lower_arm
         DEF-forearm.<L|R>.001 = ~
          DEF-hand.<L|R> = hand
           DEF-f_index.01.<L|R> = index
            DEF-f_index.02.<L|R> = index
             DEF-f_index.03.<L|R> = index
           DEF-thumb.01.<L|R> = thumb
            DEF-thumb.02.<L|R> = thumb
             DEF-thumb.03.<L|R> = thumb
  DEF-pelvis.<L|R> = -
  DEF-thigh.<L|R> = upper_leg
   DEF-thigh.<L|R>.001 = ~
    DEF-shin.<L|R> = lower_leg
     DEF-shin.<L|R>.001 = ~
      DEF-foot.<L|R> = foot
       DEF-toe.<L|R> = toes
";

const HUMAN_IK: &str = "
Character1_Reference = +
 Character1_Hips = hips
  Character1_Spine = spine
   Character1_Spine1 = spine
    Character1_Spine2 = spine
     Character1_Spine3 = spine
      Character1_Neck = neck
       Character1_Neck1 = neck
        Character1_Head = head
      Character1_<Left|Right>Shoulder = shoulder
       Character1_<Left|Right>Arm = upper_arm
        Character1_<Left|Right>ArmRoll = ~
        Character1_<Left|Right>ForeArm = lower_arm
         Character1_<Left|Right>ForeArmRoll = ~
         Character1_<Left|Right>Hand = hand
          Character1_<Left|Right>HandThumb1 = thumb
           Character1_<Left|Right>HandThumb2 = thumb
            Character1_<Left|Right>HandThumb3 = thumb
          Character1_<Left|Right>InHandIndex = ~
           Character1_<Left|Right>HandIndex1 = index
            Character1_<Left|Right>HandIndex2 = index
             Character1_<Left|Right>HandIndex3 = index
  Character1_<Left|Right>UpLeg = upper_leg
   Character1_<Left|Right>UpLegRoll = ~
   Character1_<Left|Right>Leg = lower_leg
    Character1_<Left|Right>Foot = foot
     Character1_<Left|Right>ToeBase = toes
";

const MAKE_HUMAN: &str = "
root = hips
 pelvis.<L|R> = ~
  upperleg01.<L|R> = upper_leg
   upperleg02.<L|R> = ~
    lowerleg01.<L|R> = lower_leg
     lowerleg02.<L|R> = ~
      foot.<L|R> = foot
       toe1-1.<L|R> = -
        toe1-2.<L|R> = -
       toe2-1.<L|R> = -
 spine05 = spine
  spine04 = spine
   spine03 = spine
    spine02 = spine
     breast.<L|R> = -
     spine01 = spine
      neck01 = neck
       neck02 = neck
        neck03 = neck
         head = head
          jaw = jaw
          eye.<L|R> = eye
      clavicle.<L|R> = shoulder
       shoulder01.<L|R> = ~
        upperarm01.<L|R> = upper_arm
         upperarm02.<L|R> = ~
          lowerarm01.<L|R> = lower_arm
           lowerarm02.<L|R> = ~
            wrist.<L|R> = hand
             finger1-1.<L|R> = thumb
              finger1-2.<L|R> = thumb
               finger1-3.<L|R> = thumb
             metacarpal1.<L|R> = ~
              finger2-1.<L|R> = index
               finger2-2.<L|R> = index
                finger2-3.<L|R> = index
";

const ADVANCED_SKELETON: &str = "
Root_M = hips
 <Hip_L|Hip_R> = upper_leg
  <HipPart1_L|HipPart1_R> = ~
  <Knee_L|Knee_R> = lower_leg
   <Ankle_L|Ankle_R> = foot
    <Toes_L|Toes_R> = toes
     <ToesEnd_L|ToesEnd_R> = -
 Spine1_M = spine
  Spine2_M = spine
   Chest_M = spine
    <Scapula_L|Scapula_R> = shoulder
     <Shoulder_L|Shoulder_R> = upper_arm
      <Elbow_L|Elbow_R> = lower_arm
       <Wrist_L|Wrist_R> = hand
        <ThumbFinger1_L|ThumbFinger1_R> = thumb
         <ThumbFinger2_L|ThumbFinger2_R> = thumb
          <ThumbFinger3_L|ThumbFinger3_R> = thumb
        <IndexFinger1_L|IndexFinger1_R> = index
         <IndexFinger2_L|IndexFinger2_R> = index
          <IndexFinger3_L|IndexFinger3_R> = index
    Neck_M = neck
     Head_M = head
      HeadEnd_M = top
      Jaw_M = jaw
";

const NUMBERS: &str = "
Object_1 = +
 Bone = hips
  Bone.001 = spine
   Bone.002 = spine
    Bone.003 = neck
     Bone.004 = head
      Bone.005 = top
    <Bone.006|Bone.010> = shoulder
     <Bone.007|Bone.011> = upper_arm
      <Bone.008|Bone.012> = lower_arm
       <Bone.009|Bone.013> = hand
        <Bone.014|Bone.034> = ?
         <Bone.015|Bone.035> = ?
        <Bone.016|Bone.036> = ?
         <Bone.017|Bone.037> = ?
        <Bone.018|Bone.038> = ?
         <Bone.019|Bone.039> = ?
  <Bone.020|Bone.024> = upper_leg
   <Bone.021|Bone.025> = lower_leg
    <Bone.022|Bone.026> = foot
     <Bone.023|Bone.027> = toes
";
